"""What a section of the page of a replay is, and what all of them are made from."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from contend.canvas.markup import Html, element
from contend.registry import Registry
from contend.replay.replay import Replay
from contend.replay.setting import Setting
from contend.replay.whatif import WhatIf, what_ifs
from contend.timelines.replayed import timeline_of_replay
from contend.timelines.timeline import Timeline


@dataclass(frozen=True)
class Account:
    """A setting and its replay, with times of operations and traffic, and what follows."""

    setting: Setting
    found: Replay

    @classmethod
    def of(cls, setting: Setting) -> "Account":
        """Replayed with everything that the page needs."""
        return cls(setting, setting.replay(is_recorded=True, has_traffic=True))

    @cached_property
    def timeline(self) -> Timeline:
        """Of the replay."""
        return timeline_of_replay(self.found)

    @cached_property
    def what_ifs(self) -> list[WhatIf]:
        """All, each replayed, those that save most first."""
        return what_ifs(self.setting, self.found)


class Section(ABC):
    """Base of the sections; a module in `replay_report/sections` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]  # on the page, from the top

    @abstractmethod
    def content(self, account: Account) -> Iterator[Html]:
        """What it shows below its title: nothing where there is nothing to say."""


SECTIONS: Registry[Section] = Registry(
    "section of the page of a replay", Section, "contend.replay_report.sections"
)


def sections_of(account: Account) -> Iterator[tuple[Section, Html]]:
    """All sections that have something to say, from the top."""
    for section in sorted(SECTIONS.all(), key=lambda one: (one.order, one.name)):
        if content := list(section.content(account)):
            yield (
                section,
                element("section", element("h2", section.title), *content, id=section.name),
            )
