"""Plans that both readers take, Python's and that of the exchange library, and such that none does.

A line stands behind "contend-exchange 1" and the level "here".
"""

LINK = "link here latency_s 1 bandwidth 2 buffer 3 timeout_s 4"

TAKEN = [
    "", " \t ", "\r",
    "level there", "  level\t there  ", "level there\r",
    "level deep\ngroup a host b\nchoose deep 0 lg",
    "group red host red*", "group red host red[0-9]?", "group red host [!a-c]*",
    "group red host r[[]1]", "group red host [", "group red host a]\ngroup red host []a]",
    "group red subnet 10.1.0.0/16", "group red subnet 10.1.2.3/08", "group red subnet fd00::/8",
    "group red subnet ::ffff:10.0.0.0/104", "group red subnet 0.0.0.0/0",
    LINK, "link node latency_s 0 bandwidth 1e8 buffer 0 timeout_s .5",
    "link here buffer 3 timeout_s 4. bandwidth 2.5E+7 latency_s 1e-3", f"{LINK}\n{LINK}",
    "link here latency_s 1e-999 bandwidth 2 buffer 9223372036854775807 timeout_s 4",
    "choose here 0 lg", "choose node 0 native", "choose here 007 lg",
    "choose here 9223372036854775807 lg",
    "choose here 1 lg window=1", "choose here 1 lg window=all",
    "choose here 1 lg window=2147483647",
    "choose here 1 lg leaders=2 chunk=1024 window=3",
    "choose here 1 lg\nchoose here 1 paced", "choose here 5 lg\nchoose here 1 lg",
    "group red host " + "a" * 4079,
]  # fmt: skip

REFUSED = [
    "colour red", "level", "level a b", "level here", "level node", "Level there",
    "level\u00a0there", "level\x0bthere", "level a\0b", "# nothing",
    "\n".join(f"level l{number}" for number in range(16)),
    "group red", "group red host", "group red host a b", "group red file a",
    "group red host [^a]*", "group red host red[[:digit:]]", "group red host a[.-.]",
    "group red subnet 10.1.0.0", "group red subnet 10.1/16", "group red subnet 10.1.0.0/33",
    "group red subnet 10.1.0.0/+8", "group red subnet 10.1.0.0/", "group red subnet 10.01.0.0/16",
    "group red subnet 10.1.0.0/255.255.0.0", "group red subnet fd00::/129",
    "group red subnet fe80::1%lo/64", "group red subnet :::/8", "group red subnet 10.1.0.0/0016",
    "link", "link here", "link there latency_s 1 bandwidth 2 buffer 3 timeout_s 4",
    "link deep latency_s 1 bandwidth 2 buffer 3 timeout_s 4\nlevel deep",
    "link here latency_s 1 bandwidth 2 buffer 3", f"{LINK} buffer 3",
    "link here latency_s 1 bandwidth 2 buffer 3 buffer 4", f"{LINK} colour 5",
    "link here latency_s -1 bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s +1 bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s nan bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s inf bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s 1e999 bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s 0x1 bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s 1_0 bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s 1e bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s . bandwidth 2 buffer 3 timeout_s 4",
    "link here latency_s 1 bandwidth 2 buffer 3.0 timeout_s 4",
    "link here latency_s 1 bandwidth 2 buffer -3 timeout_s 4",
    "link here latency_s 1 bandwidth 2 buffer 9223372036854775808 timeout_s 4",
    "choose here 0", "choose here lg", "choose here 0 fast", "choose there 0 lg",
    "choose deep 0 lg\nlevel deep", "choose here x lg", "choose here -1 lg", "choose here +1 lg",
    "choose here 1.0 lg", "choose here 1_000 lg", "choose here 9223372036854775808 lg",
    "choose here \u0661 lg", "choose here " + "9" * 4000 + " lg",
    "choose here 0 lg depth=3", "choose here 0 lg window", "choose here 0 lg window=",
    "choose here 0 lg window=0", "choose here 0 lg window=-1", "choose here 0 lg window=1.5",
    "choose here 0 lg window=2147483648", "choose here 0 lg window=1 window=2",
    "choose here 0 lg window=all window=all", "choose here 0 lg window=All",
    "choose here 0 lg chunk=all", "choose here 0 lg =1", "choose here 0 lg window =1",
    "choose here 0 lg window=1 chunk=1 leaders=1 window=1",
    "group red host " + "a" * 4080,
]  # fmt: skip

FIRST_TAKEN = ["contend-exchange 1", "contend-exchange\t1 \r"]
FIRST_REFUSED = ["", "\ncontend-exchange 1", "contend-exchange 2", "contend-exchange 1 1",
                 "contend-exchange", "level here"]  # fmt: skip


def plans() -> tuple[list[str], list[str]]:
    """Texts of plans that are taken, and of such that are not."""
    head = "contend-exchange 1\nlevel here\n"
    taken = [f"{head}{lines}{end}" for lines in TAKEN for end in ("", "\n")]
    refused = [f"{head}{lines}{end}" for lines in REFUSED for end in ("", "\n")]
    return (
        [*taken, *(f"{line}\n" for line in FIRST_TAKEN)],
        [*refused, *(f"{line}\n" for line in FIRST_REFUSED), ""],
    )
