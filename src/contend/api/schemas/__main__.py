"""Write the published schemas anew: `python -m contend.api.schemas`, after a change of a format."""

from pathlib import Path

from contend.api.schemas import FORMATS, generate
from contend.base.wholefile import write_whole

if __name__ == "__main__":
    for name in FORMATS:
        write_whole(Path(__file__).with_name(f"{name}.schema.json"), generate(name))
