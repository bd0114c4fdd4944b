"""What nccl-tests prints, and what it writes as JSON."""

from typing import Any


def device(rank: int, host: str, group: int = 0, info: str = "NVIDIA H100") -> dict[str, Any]:
    """A GPU, of the first rank of a process."""
    return {"rank": rank, "group": group, "pid": 9, "hostname": host, "device": 0,
            "device_hex": "0000:07:00", "device_info": info}  # fmt: skip


def result(size: int, out: float, inside: float, **more: Any) -> dict[str, Any]:
    """Times out of place and in place, microseconds, of an all-reduce unless said otherwise."""

    def half(time: float) -> dict[str, Any]:
        return {"time": time, "alg_bw": 1.0, "bus_bw": 1.75, "nwrong": 0.0}

    return {"size": size, "count": size // 4, "type": "float", "redop": "sum", "root": "    -1",
            "out_of_place": half(out), "in_place": half(inside), "actual_iterations": 20,
            "experiment_name": "AllReduce", **more}  # fmt: skip


def run(**more: Any) -> dict[str, Any]:
    """What -J writes of a run of 8 processes of one GPU each, 4 on a host."""
    return {
        "version": 2, "start_time": "2026-01-15 10:12:44",
        "args": ["./build/all_reduce_perf", "-b", "1M"], "env": ["HOME=/home/a", "NCCL_DEBUG=WARN"],
        "nccl_version": 22803,
        "config": {
            "nthreads": 1, "ngpus": 1, "aggregated_iterations": 1, "graph": 0,
            "blocking_collectives": "false",
            "devices": [device(rank, f"node{rank // 4}") for rank in range(8)],
        },
        "results": [result(1048576, 857.6, 819.6), result(2097152, 1445.2, 1441.9)],
        "out_of_bounds": {"count": 0, "okay": "true"}, "errors": [], **more,
    }  # fmt: skip


def table() -> str:
    """The text of such a run, of two ranks."""
    half = "857.6  156.51  156.51      0"
    return (
        "# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 1\n"
        "#  Rank  0 Group  0 Pid  1 on  a device  0 [0xa4] H100\n"
        "#  Rank  1 Group  0 Pid  2 on  b device  0 [0xa4] H100\n"
        f"#  size  count  type  redop  root  {'time  algbw  busbw  #wrong  ' * 2}\n"
        f"1048576  262144  float  sum  -1  {half}  {half}\n"
    )
