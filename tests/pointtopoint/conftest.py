"""Measurements of a single message on three machines."""

from dataclasses import dataclass
from functools import cache

import pandas as pd
import pytest

from contend.samples import Sample, table
from contend.samples.reader import READERS, ReadOptions

FILES = {
    "taurus": "taurus/taurus-2016-06-09--1",
    "graphene": "graphene_eth/graphene_eth",
    "stampede": "stampede/testplatform",
}
PARTS = {"one_way": "PingPong", "send_overhead": "Isend", "receive_overhead": "Recv"}


@dataclass(frozen=True)
class Machine:
    """A machine's name, and tables of medians of its 490 sizes by what they hold."""

    name: str
    tables: dict[str, pd.DataFrame]


@cache
def medians(path):
    samples: list[Sample] = list(READERS.get("platform_calibration").read(path, ReadOptions()))
    return table.medians(samples)


@pytest.fixture(params=FILES)
def machine(request, shared_data):
    """Each machine in turn; skips where its files are absent."""
    stem = f"grid5000_pointtopoint/{FILES[request.param]}"
    found = {name: medians(shared_data(f"{stem}_{part}.csv.gz")) for name, part in PARTS.items()}
    return Machine(request.param, found)
