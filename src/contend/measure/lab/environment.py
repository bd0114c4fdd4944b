"""Environment of everything that runs in a lab: `mpiexec` then uses its hosts and its network.

One rank per host, in order, unless the launcher has other options; TCP over eth0 between hosts, and
shared memory between ranks of the same one; waiting ranks sleep. Variables of Open MPI 4 and 5 and
of MPICH do not disturb each other. Clocks show the time of the network that the lab stands for
(lab/shim/scale.h).
"""

import os
from pathlib import Path

from contend.measure.lab.specification import Lab

INTERFACE = "eth0"
SITE = "site.plan"  # groups and links, for the exchange library
REAL_CLOCK = {"CONTEND_CLOCK_DILATION": "1"}  # for programs whose times are divided later
# Seconds of the network after which a rank with neighbours on its host first looks for their
# messages (lab/shim/patience.c): less than a link's latency.
SHARED_WAIT = 20e-6


def environment(lab: Lab, place: Path, started: float = 0.0) -> dict[str, str]:
    """Variables to add for a process of the lab at `place`; `started` is the date in seconds."""
    path = os.environ.get("PATH", os.defpath)
    return {
        "CONTEND_LAB": str(place),
        "CONTEND_LAB_NAME": lab.name,
        "CONTEND_SITE": str(place / SITE),
        "CONTEND_COUNTERS": str(place / "counters"),
        "CONTEND_CLOCK_DILATION": f"{lab.time_dilation:.17g}",
        "CONTEND_CLOCK_ORIGIN": f"{started:.3f}",
        "CONTEND_SHARED_WAIT": f"{SHARED_WAIT * lab.time_dilation:.3g}",
        "PATH": f"{place / 'bin'}{os.pathsep}{path}",
        **_open_mpi(place),
        **_mpich(place),
    }


def _open_mpi(place: Path) -> dict[str, str]:
    agent = str(place / "bin" / "ssh")
    components = {
        "pml": "ob1",
        # What is left is tcp, self and shared memory, which has another name in each version.
        "btl": "^ofi,openib,portals4,uct,ugni,usnic",
        "btl_vader_single_copy_mechanism": "none",  # containers often forbid what the others need
        "btl_tcp_if_include": INTERFACE,
        "mpi_yield_when_idle": "1",
    }
    version_4 = {
        "plm": "rsh",
        "plm_rsh_agent": agent,
        "plm_rsh_no_tree_spawn": "1",
        "oob_tcp_if_include": INTERFACE,
        "orte_default_hostfile": str(place / "hostfile"),
        "orte_tmpdir_base": str(place / "tmp"),
        "rmaps_base_mapping_policy": "node",
        "rmaps_base_oversubscribe": "1",
        "hwloc_base_binding_policy": "none",
    }
    version_5 = {
        "plm": "ssh",
        "plm_ssh_agent": agent,
        "plm_ssh_no_tree_spawn": "1",
        "prte_if_include": INTERFACE,
        "prte_default_hostfile": str(place / "hostfile"),
        "prte_tmpdir_base": str(place / "tmp"),
        "rmaps_default_mapping_policy": "node:oversubscribe",
        "hwloc_default_binding_policy": "none",
    }
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return (
        (as_root if os.geteuid() == 0 else {})
        | {f"OMPI_MCA_{name}": value for name, value in (components | version_4).items()}
        | {f"PRTE_MCA_{name}": value for name, value in version_5.items()}
    )


def _mpich(place: Path) -> dict[str, str]:
    return {
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": str(place / "bin" / "ssh"),
        "HYDRA_HOST_FILE": str(place / "machinefile"),
        "HYDRA_IFACE": INTERFACE,
        # The ofi/tcp provider waits a round trip for every message of 256 bytes and more.
        "MPIR_CVAR_CH4_NETMOD": "ucx",
        "UCX_TLS": "tcp,self",
        "UCX_NET_DEVICES": INTERFACE,
    }
