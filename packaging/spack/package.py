"""contend for Spack, as packages/py_contend/package.py of a repository of packages.

A clone is installed by `spack dev-build -d CLONE py-contend@0.1.0`; a release needs its url and
sha256 in `version`.
"""

from spack.package import *
from spack_repo.builtin.build_systems.python import PythonPackage


class PyContend(PythonPackage):
    """Measures how a network behaves when many MPI messages share it, and predicts from that."""

    license("Apache-2.0")

    version("0.1.0")

    variant("mpi", default=True, description="Depend on an MPI library to measure with")
    variant("otf2", default=False, description="Read OTF2 traces")

    depends_on("c", type=("build", "run"))  # its MPI programs are compiled by the user's mpicc
    depends_on("cxx", type="build")
    depends_on("gmake", type="run")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi", type="run", when="+mpi")

    depends_on("python@3.11:", type=("build", "link", "run"))
    depends_on("py-scikit-build-core@0.11:", type="build")
    depends_on("py-nanobind@2.5:", type="build")

    with default_args(type="run"):
        depends_on("py-defusedxml@0.7:")
        depends_on("py-filelock@4.1:")
        depends_on("py-jinja2@3.1:")
        depends_on("py-matplotlib@3.7:")
        depends_on("py-networkx@3.1:")
        depends_on("py-numpy@1.24:")
        depends_on("py-pandas@2.0:")
        depends_on("py-psutil@5.9:")
        depends_on("py-pydantic@2.6:")
        depends_on("py-pyroute2@0.8:", when="platform=linux")
        depends_on("py-rich@13.0:")
        depends_on("py-scipy@1.10:")
        depends_on("py-typer@0.12:")
        depends_on("py-otf2@3.0:", when="+otf2")

    conflicts("platform=darwin", msg="contend runs on Linux")
    conflicts("platform=windows", msg="contend runs on Linux")
