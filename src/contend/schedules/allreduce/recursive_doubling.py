"""Recursive doubling.

Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, section 4.5.
Idea: in turn i ranks r and r XOR 2^i exchange what they have and combine both. The ranks beyond the
largest power of two M fold: they hand their vector to another before, and get the result after.
Cost: log2(M) (g(m) + L), and at most 2 (g(m) + L) more where P is no power of two.
Restrictions: an operation that commutes. Combining takes no time.
"""

from contend.schedules.algorithm import Algorithm, Call, Claim, Floats, PLogP, ints
from contend.schedules.exchange import paired, powers, rounds
from contend.schedules.folding import core, folded, folding_seconds
from contend.schedules.messages import Messages, one_block


class RecursiveDoubling(Algorithm):
    title = "recursive doubling"
    source = "Thakur, Rabenseifner, Gropp 2005"
    openmpi = 3
    mpich = "recursive_doubling"

    def messages(self, call: Call) -> Messages:
        dst = paired(core(call.n), powers(core(call.n)))
        carries = one_block(dst.ravel() * 0, 1)
        return folded(call.n, rounds(dst, carries, ints([call.m]), combines=True))

    def cost(self, net: PLogP, call: Call) -> Floats:
        turns = powers(core(call.n)).size
        return turns * net.seconds(call.m) + folding_seconds(net, call)

    def claim(self, call: Call) -> Claim:
        """With few pairs no path goes through every turn at its latest."""
        return "exact" if call.n == core(call.n) else "upper bound"
