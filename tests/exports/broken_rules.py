"""Broken rules files of Open MPI, each with what is to be found in it, and where."""

from typing import NamedTuple


class Broken(NamedTuple):
    """A file, the library that reads it, and the finding: level, code and line."""

    name: str
    target: str
    text: str
    level: str
    code: str
    line: int | None


# A good file of 5.0.7 and later; each broken one below is written by hand.
GOOD = """rule-file-version-2
# alltoall and allreduce; coll/han is out: OMPI_MCA_coll_han_priority=0
2
3  # alltoall
2
2
1
0 2 0 0 0
16
2
0 3 0 0 0
65536 2 0 0 0
2  # allreduce
1
2
2
0 3 0 0 0
1048576 6 0 0 0
"""

FILES = [
    Broken("first-size", "openmpi-5", "1\n3\n1\n2\n1\n8 2 0 0\n", "error", "first-size", 6),
    Broken("first-size-of-a-later-block", "openmpi-4",
           "1\n7\n2\n2\n1\n0 6 0 0\n8\n1\n1024 6 0 0\n", "error", "first-size", 9),
    Broken("octal", "openmpi-5", "1\n3\n1\n2\n2\n0 1 0 0\n010000 2 0 0\n", "error", "octal", 7),
    Broken("octal-with-nine", "openmpi-5", "1\n3\n1\n2\n2\n0 1 0 0\n0900 2 0 0\n",
           "error", "glued", 7),
    Broken("hexadecimal", "openmpi-5", "1\n3\n1\n2\n2\n0 1 0 0\n0x1000 2 0 0\n",
           "warning", "hexadecimal", 7),
    Broken("unit-of-a-size", "openmpi-5", "1\n3\n1\n2\n2\n0 1 0 0\n4k 2 0 0\n",
           "error", "skipped", 7),
    Broken("fraction", "openmpi-5", "1\n3\n1\n2\n2\n0 1 0 0\n1.5 2 0 0\n", "error", "glued", 7),
    Broken("comment-without-mark", "openmpi-5", "1 collectives\n3\n1\n2\n1\n0 2 0 0\n",
           "error", "skipped", 1),
    Broken("algorithm-beyond", "openmpi-5", "1\n3\n1\n2\n1\n0 6 0 0\n", "error", "algorithm", 6),
    Broken("algorithm-of-a-later-version", "openmpi-4", "1\n0\n1\n2\n1\n0 7 0 0\n",
           "error", "algorithm", 6),
    Broken("collective-beyond", "openmpi-5", "1\n22\n1\n2\n1\n0 1 0 0\n",
           "error", "out-of-range", 2),
    Broken("collective-without-rules", "openmpi-5", "1\n10\n1\n2\n1\n0 1 0 0\n",
           "warning", "unused", 4),
    Broken("too-many-collectives", "openmpi-5", "23\n", "error", "out-of-range", 1),
    Broken("sizes-per-destination", "openmpi-5", "1\n3\n1\n1000\n2\n0 1 0 0\n512 2 0 0\n",
           "warning", "unit", 7),
    Broken("the-same-sizes-for-all", "openmpi-5",
           "1\n0\n2\n4\n2\n0 2 0 0\n8192 4 0 0\n64\n2\n0 2 0 0\n8192 4 0 0\n",
           "warning", "unit", 8),
    Broken("scatter-hangs", "openmpi-5", "1\n15\n1\n2\n2\n0 2 0 0\n4096 1 0 0\n",
           "error", "hang", 7),
    Broken("gather-hangs-with-a-default", "openmpi-4", "1\n9\n1\n2\n2\n0 0 0 0\n4096 2 0 0\n",
           "error", "hang", 7),
    Broken("barrier-by-size", "openmpi-4", "1\n6\n1\n2\n2\n0 3 0 0\n8 4 0 0\n",
           "warning", "without-size", 7),
    Broken("sizes-descend", "openmpi-4", "1\n7\n1\n2\n3\n0 6 0 0\n4096 1 0 0\n1024 6 0 0\n",
           "error", "order", 8),
    Broken("processes-descend", "openmpi-4", "1\n7\n2\n8\n1\n0 6 0 0\n4\n1\n0 1 0 0\n",
           "error", "order", 7),
    Broken("collective-twice", "openmpi-4", "2\n7\n1\n2\n1\n0 6 0 0\n7\n1\n2\n1\n0 1 0 0\n",
           "error", "twice", 7),
    Broken("one-line-too-few", "openmpi-4", "2\n7\n1\n2\n3\n0 6 0 0\n4096 1 0 0\n11\n1\n2\n1\n"
           "0 5 0 0\n", "error", "shifted", 8),
    Broken("one-line-too-many", "openmpi-4", "2\n7\n1\n2\n1\n0 6 0 0\n4096 1 0 0\n11\n1\n2\n1\n"
           "0 5 0 0\n", "error", "shifted", 7),
    Broken("more-collectives-than-announced", "openmpi-4", "1\n7\n1\n2\n1\n0 6 0 0\n11\n1\n2\n1\n"
           "0 5 0 0\n", "error", "left", 7),
    Broken("ends-early", "openmpi-4", "1\n7\n1\n2\n2\n0 6 0 0\n", "error", "ends-early", 6),
    Broken("empty", "openmpi-5", "# nothing\n", "error", "ends-early", None),
    Broken("version-line-for-4.1", "openmpi-4", "rule-file-version-2\n1\n3\n1\n2\n1\n0 2 0 0 0\n",
           "error", "version-line", 1),
    Broken("version-line-for-5.0.6", "openmpi-5.0.6",
           "rule-file-version-2\n1\n3\n1\n2\n1\n0 2 0 0 0\n", "error", "version-line", 1),
    Broken("version-line-behind-a-comment", "openmpi-5.0.11",
           "# by hand\nrule-file-version-2\n1\n3\n1\n2\n1\n0 2 0 0 0\n",
           "error", "version-line", 2),
    Broken("version-3", "openmpi-5.0.11", "rule-file-version-3\n1\n3\n1\n2\n1\n0 2 0 0 0\n",
           "warning", "version-line", 1),
    Broken("no-fifth-number", "openmpi-5.0.11", "rule-file-version-2\n1\n3\n1\n2\n1\n0 4 0 0\n",
           "warning", "requests", 7),
    Broken("a-fifth-number-of-a-file-without-version", "openmpi-5.0.11",
           "1\n3\n1\n2\n2\n0 2 0 0 0\n4096 2 0 0 0\n", "error", "shifted", 6),
    Broken("hidden-by-han", "openmpi-5.0.11", "1\n7\n1\n2\n1\n0 6 0 0\n", "warning", "han", 4),
    Broken("pipeline-without-segments", "openmpi-4", "1\n7\n1\n2\n1\n0 3 0 0\n",
           "warning", "segment", 6),
    Broken("chain-without-fanout", "openmpi-4", "1\n7\n1\n2\n1\n0 2 0 8192\n",
           "warning", "fanout", 6),
    Broken("two-proc-for-all", "openmpi-5", "1\n3\n1\n2\n1\n0 5 0 0\n", "error", "two-proc", 6),
    Broken("rules-for-fewer-processes", "openmpi-5", "1\n3\n1\n64\n1\n0 2 0 0\n",
           "warning", "smaller", 4),
    Broken("negative", "openmpi-5", "1\n3\n1\n2\n1\n0 -1 0 0\n", "error", "negative", 6),
    Broken("json-for-5", "openmpi-5", '{"collectives": {}}', "error", "json", 1),
]  # fmt: skip


def of_json(rules: str) -> str:
    """A file of rules of a broadcast, the rules beginning in line 3."""
    return (
        '{"rule_file_version": 3, "module": "tuned",\n"collectives": {"bcast": [\n' + rules + "]}}"
    )


CLASSIC_FOR_6 = "1\n3\n2\n2\n1\n0 2 0 0\n16\n1\n0 3 0 0\n"
JSON_FILES = [
    ("not-json", of_json('{"rules": [{"alg": 1},]}'), "error", "json", 3),
    ("no-collectives", '{"bcast": []}', "error", "collectives", 1),
    ("unknown-collective", '{"collectives": {\n"reducescatter": []}}', "error", "collective", 2),
    ("segsize", of_json('{"rules": [\n{"alg": "pipeline", "segsize": 8192}]}'), "error", "name", 4),
    ("fanout", of_json('{"rules": [{"alg": "chain",\n"fanout": 4}]}'), "error", "name", 4),
    ("algorithm", of_json('{"rules": [{"algorithm": "chain"}]}'), "error", "alg", 3),
    ("unknown-algorithm", of_json('{"rules": [\n{"alg": "pipelin"}]}'), "error", "algorithm", 4),
    ("number-beyond", of_json('{"rules": [{"alg": 10}]}'), "error", "algorithm", 3),
    ("name-above-its-value", of_json('{"rules": [{"alg": 1,\n"fanout"\n:\n4}]}'),
     "error", "name", 4),
    ("no-rules", of_json('{"comm_size_min": 2}'), "error", "rules", 3),
    ("size-as-text", of_json('{"rules": [{"alg": 1, "msg_size_min": "4k"}]}'),
     "error", "number", 3),
    ("fraction", of_json('{"rules": [{"alg": 1, "msg_size_min": 1.5}]}'), "error", "number", 3),
    ("empty-range", of_json('{"rules": [{"alg": 1, "msg_size_min": 9, "msg_size_max": 8}]}'),
     "error", "range", 3),
    ("overlap", of_json('{"rules": [{"alg": 1, "msg_size_max": 1024},\n'
                        '{"alg": 6, "msg_size_min": 1024}]}'), "warning", "overlap", 4),
    ("communicators-overlap", of_json('{"comm_size_max": 8, "rules": []},\n'
                                      '{"comm_size_min": 8, "rules": []}'),
     "warning", "overlap", 4),
    ("placement", of_json('{"comm_rank_distribution": "one_per_node", "rules": []}'),
     "error", "distribution", 3),
    ("hidden-placement", of_json('{"rules": []},\n'
                                 '{"comm_rank_distribution": "single-node", "rules": []}'),
     "warning", "overlap", 4),
    ("twice", '{"collectives": {"bcast": [],\n"bcast": []}}', "error", "twice", 2),
    ("hang", '{"collectives": {"gather": [{"rules": [{"alg": 1, "msg_size_max": 9},\n'
             '{"alg": 2, "msg_size_min": 10}]}]}}', "error", "hang", 2),
    ("per-destination", '{"collectives": {"alltoall": [{"comm_size_min": 4096, "rules": [\n'
                        '{"alg": 1, "msg_size_min": 1024}]}]}}', "warning", "unit", 2),
    ("radix", '{"collectives": {"allgather": [{"rules": [\n{"alg": "bruck"}]}]}}',
     "warning", "radix", 2),
    ("version", '{"rule_file_version": 2, "collectives": {}}', "warning", "version", 1),
    ("classic", CLASSIC_FOR_6, "error", "shift", 4),
]  # fmt: skip
FILES += [Broken(f"json-{name}", "openmpi-6", *rest) for name, *rest in JSON_FILES]
