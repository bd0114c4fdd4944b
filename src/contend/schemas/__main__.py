"""Write the published schemas anew: `python -m contend.schemas`, after a change of a format."""

from pathlib import Path

from contend.schemas import FORMATS, generate

if __name__ == "__main__":
    for name in FORMATS:
        Path(__file__).with_name(f"{name}.schema.json").write_text(generate(name))
