"""The lab: an emulated cluster on one machine, with real TCP and an unmodified MPI."""

from contend.measure.lab.specification import Lab, profile_path, profiles, read_lab

__all__ = ["Lab", "profile_path", "profiles", "read_lab"]
