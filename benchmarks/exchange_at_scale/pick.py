"""An algorithm of the catalogue with at most one option."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Pick:
    """A name, an option and its value."""

    name: str
    option: str = ""
    value: int = 0

    @property
    def options(self) -> dict[str, int]:
        """As `build` takes them."""
        return {self.option: self.value} if self.option else {}
