"""The MPI library that a network was measured with."""

from contend.base.errors import InvalidInputError
from contend.models.network.network import Network
from contend.schedules.libraries import Library, Version, library_of


def library_in(network: Network) -> tuple[Library | None, Version]:
    """The MPI library of the samples; None and () where it is not known, or not one."""
    titles = {name for origin in network.all_origins for name in origin.mpi_libraries}
    try:
        libraries = {
            (library.name, version): library for library, version in map(library_of, titles)
        }
    except InvalidInputError:  # one that contend knows nothing of
        return None, ()
    if len(libraries) != 1:
        return None, ()
    ((_, version), library) = libraries.popitem()
    return library, version
