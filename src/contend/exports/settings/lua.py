"""Variables that a module file in Lua sets, of Lmod: setenv("NAME", "value"), pushenv likewise."""

import re
from collections.abc import Iterator

from contend.exports.settings.setting import TUNING, Setting

LUA = re.compile(
    r"^\s*(?:setenv|pushenv|prepend_path|append_path|whatis|help|family|load|depends_on|prereq|"
    r"conflict)\s*[({\[](?!\s*\))|^\s*local\s+\w+\s+=\s|^\s*--\[\[",
    re.MULTILINE,
)
_COMMENT = re.compile(
    r"(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|--\[\[.*?\]\]|--[^\n]*", re.DOTALL
)
_STRING = r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|\[\[(.*?)\]\]"
_CALL = re.compile(
    rf"\b(?:setenv|pushenv)\s*[({{]\s*(?:{_STRING})\s*,\s*(?:(?:{_STRING}|(\d+))\s*[,)}}])?",
    re.DOTALL,
)
_MENTIONED = re.compile(rf"(?:{'|'.join(TUNING)})\w*")
_AWAY = re.compile(
    r"\b(?:unsetenv|unset|whatis|help|LmodMessage|getenv|prepend_path|append_path)\b"
)


def lua_settings(text: str) -> Iterator[Setting]:
    """The settings, and names that stand in other calls."""
    text = _COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
    read: set[str] = set()
    for match in _CALL.finditer(text):
        name = _first(match.groups()[:3]) or ""
        value = _first(match.groups()[3:])
        line = text.count("\n", 0, match.start()) + 1
        read.add(name)
        yield Setting(name, value or "", line, is_known=value is not None)
    for number, words in enumerate(text.splitlines(), 1):
        for name in () if _AWAY.search(words) else _MENTIONED.findall(words):
            if name not in read:
                yield Setting(name, "", number, is_read=False)


def _first(groups: tuple[str | None, ...]) -> str | None:
    return next((one for one in groups if one is not None), None)
