"""A lab with settings of its own: what stands behind the comma of `two-clusters,buffer=24KiB`.

buffer: of the backbones, or of the ports of the switch where there are none; hosts: of each
cluster; time_dilation; flow_control. The name of such a lab is the whole text, so that samples of
it and of the lab itself are not mixed.
"""

from typing import Any

from contend.base.errors import InvalidInputError

SETTINGS = ("buffer", "hosts", "time_dilation", "flow_control")


def varied(content: dict[str, Any], text: str) -> dict[str, Any]:
    """The content of a lab's file with the settings of a text such as "buffer=24KiB,hosts=4".

    >>> varied({"name": "a", "clusters": [{"hosts": 8}], "backbones": []}, "hosts=4")
    {'name': 'a,hosts=4', 'clusters': [{'hosts': '4'}], 'backbones': []}
    """
    lab = content | {"name": f"{content['name']},{text}"}
    for word in text.split(","):
        setting, _, value = word.partition("=")
        if setting not in SETTINGS or not value:
            raise InvalidInputError(
                f"{word!r} is no setting of a lab",
                f"write one of {', '.join(SETTINGS)}, as in two-clusters,buffer=24KiB",
            )
        if setting in ("time_dilation", "flow_control"):
            lab[setting] = value
            continue
        is_of_backbones = setting == "buffer" and lab["backbones"]
        parts = "backbones" if is_of_backbones else "clusters"
        lab[parts] = [part | {setting: value} for part in lab[parts]]
    return lab
