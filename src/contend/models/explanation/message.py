"""What is known of a message that has the network alone, and from where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.models.fitting.messages import fit_point_to_point
from contend.models.network import Network
from contend.samples import Sample
from contend.samples.by_setting import conditions_in, under_conditions
from contend.samples.sample import SINGLE_MESSAGES
from contend.samples.setting import NATIVE, nearest, under
from contend.schedules.pointtopoint import Hockney, hockney


@dataclass(frozen=True)
class Message:
    """alpha and beta of one process's message, and what a byte takes over a node's network card.

    `card` is in seconds per byte. None is neither given nor measured. A message within a node
    passes no network: it tells of processes on one node alone.
    """

    hockney: Hockney | None = None
    card: float | None = None
    source: str = ""
    has_alpha: bool = True
    is_within_node: bool = False
    others: Mapping[str, "Message"] = field(default_factory=dict)  # by conditions, where several

    def under(self, conditions: str) -> "Message":
        """The message that was sent under these conditions, or the most like it."""
        return self.others[nearest(conditions, self.others)] if self.others else self


def known_message(
    samples: Sequence[Sample],
    network: Network | None,
    latency: float | None = None,
    card: float | None = None,
) -> Message:
    """From ping-pongs among the samples, else the network file, else what was given.

    Where messages were sent under several conditions, `Message.under` has each of them. `latency`
    (seconds) is taken in the place of any other start-up; `card` (seconds per byte) for what a
    node's card carries, and for a message alone where nothing was measured.
    """
    sent = [sample for sample in samples if sample.experiment in SINGLE_MESSAGES]
    several = conditions_in(sent) or [
        level.conditions for level in (network.levels if network else ())
    ]

    def message_under(conditions: str) -> Message:
        messages = under_conditions(sent, conditions)
        return _known_message(messages, conditions, network, latency, card)

    others = {conditions: message_under(conditions) for conditions in several or [""]}
    return replace(others[nearest("", others)], others=others if len(others) > 1 else {})


def _known_message(
    samples: Sequence[Sample], conditions: str, network: Network | None, latency: float | None,
    card: float | None,
) -> Message:  # fmt: skip
    line, source = _measured(samples)
    # ping-pongs that are all between two processes of a node pass no network
    is_within = line is not None and min(each.processes_per_node or 1 for each in samples) > 1
    if line is None and network is not None:
        line = network.messages(under(NATIVE, conditions)).hockney
        source = f"network {network.name!r}"
    source += f" ({conditions})" if conditions else ""
    if line is not None and latency is not None:
        line, source = hockney.given(latency, float(line.beta)), f"--assume latency= and {source}"
    if line is None and card is not None:
        source = "--assume latency=,bandwidth=" if latency is not None else "--assume bandwidth="
        return Message(hockney.given(latency or 0.0, card), card, source, latency is not None)
    if line is None and latency is not None:
        raise InvalidInputError(
            "a latency without a bandwidth",
            "give --assume bandwidth= too, or a file with a ping-pong",
        )
    return Message(line, card, source if line else "", is_within_node=is_within)


def _measured(samples: Sequence[Sample]) -> tuple[Hockney | None, str]:
    """From ping-pongs, and the file that they are from."""
    if not samples:
        return None, ""
    try:
        line = fit_point_to_point(samples).hockney
    except InvalidInputError:
        return None, ""
    return line, f"ping-pong of {Path(samples[0].provenance.source.rpartition(': ')[2]).name}"
