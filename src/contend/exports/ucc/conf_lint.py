"""What is wrong with UCC's file of configuration, by line.

Run with 1.9.0, see `exports.ucc.conf`. What UCC refuses is an error there; the rest it takes
without a word, or with one at UCC_LOG_LEVEL=debug.
"""

import re
from collections.abc import Iterator
from itertools import combinations

from contend.exports.finding import Faults, Finding, by_line, meant
from contend.exports.ucc.conf import MODELS, VENDORS, Conf, Section, Variable, parse
from contend.exports.ucc.tune import VARIABLE, value_findings
from contend.libraries import Library, Version
from contend.libraries.ucc import PREFIX, RANGED

# Behind UCC_TL_UCP_, after ucc_info -caf of 1.9.0.
OPTIONS = frozenset(
    ("ALLGATHER_BATCHED_NUM_POSTS", "ALLGATHER_KN_RADIX", "ALLREDUCE_KN_RADIX",
     "ALLREDUCE_SLIDING_WIN_BUF_SIZE", "ALLREDUCE_SLIDING_WIN_NUM_GET_BUFS",
     "ALLREDUCE_SLIDING_WIN_PUT_WINDOW_SIZE", "ALLREDUCE_SRA_KN_PIPELINE",
     "ALLREDUCE_SRA_KN_RADIX", "ALLTOALLV_HYBRID_BUFF_SIZE",
     "ALLTOALLV_HYBRID_CHUNK_BYTE_LIMIT", "ALLTOALLV_HYBRID_NUM_SCRATCH_RECVS",
     "ALLTOALLV_HYBRID_NUM_SCRATCH_SENDS", "ALLTOALLV_HYBRID_PAIRWISE_NUM_POSTS",
     "ALLTOALLV_PAIRWISE_NUM_POSTS", "ALLTOALL_ONESIDED_ALG",
     "ALLTOALL_ONESIDED_PERCENT_BW", "ALLTOALL_PAIRWISE_NUM_POSTS", "BARRIER_KN_RADIX",
     "BCAST_KN_RADIX", "BCAST_SAG_KN_RADIX", "EXPORTED_MEMORY_HANDLE", "FANIN_KN_RADIX",
     "FANOUT_KN_RADIX", "GATHERV_LINEAR_NUM_POSTS", "GATHER_KN_RADIX", "KN_RADIX",
     "LOCAL_COPY_TYPE", "LOG_LEVEL", "MEMTYPE_COPY_ENABLE", "MIN_TEAM_SIZE", "NPOLLS",
     "OOB_NPOLLS", "PRECONNECT", "PRE_REG_MEM", "RANKS_REORDERING", "REDUCE_AVG_PRE_OP",
     "REDUCE_KN_RADIX", "REDUCE_SCATTERV_RING_BIDIRECTIONAL", "REDUCE_SCATTER_KN_RADIX",
     "REDUCE_SCATTER_RING_BIDIRECTIONAL", "REDUCE_SRG_KN_PIPELINE", "REDUCE_SRG_KN_RADIX",
     "SCATTERV_LINEAR_NUM_POSTS", "SCATTER_KN_ENABLE_RECV_ZCOPY", "SCATTER_KN_RADIX",
     "SERVICE_THROTTLING_THRESH", "SERVICE_WORKER", "TUNE", "USE_REORDERING", "USE_TOPO",
     "USE_TUNING")
)  # fmt: skip
_PART = r"(?:[0-9]+[kmgt]?b?-(?:[0-9]+[kmgt]?b?|inf)(?::[a-z_]+)?:(?:[0-9]+|auto)|[0-9]+|auto)"
_RANGED = re.compile(rf"{_PART}(?:,{_PART})*", re.IGNORECASE)
_FAULT = Faults({
    "reversed": ("error", "{key}={first}-{last} ends before it begins: the section never holds",
                 "write the smaller number first"),
    "processor": ("error", "{value!r:.40} is no {key} that UCC knows, and is taken for an unknown "
                  "one", "{remedy}"),
    "overlap": ("error", "[{one:.60}] in line {line} and this section hold for the same teams and "
                "both set {name}: which of the two is taken is not sure",
                "let their conditions exclude each other"),
    "hidden": ("error", f"{VARIABLE} is set for all teams in line {{line}}, by which UCC does not "
               "look at that of sections", "move it into a section"),
    "unknown": ("warning", "UCC has no {name}, and ignores it", "{remedy}"),
    "other": ("warning", f"sections are for {PREFIX}... alone: {{name}} is ignored here",
              "write it before the first section"),
    "radix": ("error", "{value!r:.60} is no value of {name}: UCC ignores it and what it would set "
              "after it", "{remedy}"),
    "empty": ("warning", "the section sets nothing", "remove it"),
})  # fmt: skip


def lint_conf(text: str, library: Library, version: Version) -> list[Finding]:
    """All findings, by line."""
    conf = parse(text)
    findings = list(conf.faults)
    for section in conf.sections:
        findings += _of_section(section)
        for variable in section.variables:
            findings += _of_variable(variable, bool(section.name), library, version)
    findings += _of_all_teams(conf)
    return by_line([*findings, *_overlaps(conf.sections[1:])])


def _of_section(section: Section) -> Iterator[Finding]:
    for key, (first, last) in section.ranges.items():
        if first > last:
            yield _FAULT("reversed", section.line, key=key, first=first, last=last)
    for key, known in (("vendor", VENDORS), ("model", MODELS)):
        value = section.words.get(key, "").lower()
        if value and value not in known:
            remedy = meant(value, known, f"give one of {', '.join(known)}")
            yield _FAULT("processor", section.line, key=key, value=value, remedy=remedy)
    if section.name and not section.variables:
        yield _FAULT("empty", section.line)


def _of_variable(
    variable: Variable, is_in_section: bool, library: Library, version: Version
) -> Iterator[Finding]:
    name, line = variable.name, variable.line
    option = name.removeprefix(PREFIX)
    if name == VARIABLE:
        yield from value_findings(variable.value, line, library, version)
    elif not name.startswith(PREFIX):
        if is_in_section:
            yield _FAULT("other", line, name=name)
    elif option not in OPTIONS:
        remedy = meant(name, [PREFIX + one for one in OPTIONS], "see ucc_info -caf")
        yield _FAULT("unknown", line, name=name, remedy=remedy)
    elif option.endswith("_RADIX"):
        is_ranged = option in RANGED
        is_read = _RANGED.fullmatch(variable.value) if is_ranged else variable.value.isdecimal()
        if not is_read:
            remedy = (
                "write first-last:host:radix, with commas between" if is_ranged
                else "write one number, since this radix has no ranges"
            )  # fmt: skip
            yield _FAULT("radix", line, name=name, value=variable.value, remedy=remedy)


def _of_all_teams(conf: Conf) -> Iterator[Finding]:
    if (here := conf.all_teams.value(VARIABLE)) and here.value:
        for section in conf.sections[1:]:
            if hidden := section.value(VARIABLE):
                yield _FAULT("hidden", hidden.line, line=here.line)


def _overlaps(sections: list[Section]) -> Iterator[Finding]:
    for one, other in combinations(sections, 2):
        names = {each.name for each in one.variables} & {each.name for each in other.variables}
        if names and one.meets(other):
            given = {"one": one.name, "line": one.line, "name": sorted(names)[0]}
            yield _FAULT("overlap", other.line, **given)
