"""The page: complete, self-contained, and safe against names from data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError, StorageError
from contend.cli.result import show_parts
from contend.models.fitting import fit
from contend.models.network import Operation
from contend.models.prediction import validate
from contend.models.prediction.curves import error_grid
from contend.models.prediction.validate import compare, record
from contend.models.prediction.verdict import verdict
from contend.models.signature import FORMS
from contend.report.canvas.axes import time_ticks
from contend.report.canvas.inline import on_page
from contend.report.canvas.markup import element
from contend.report.figures.figure import Findings, drawings_of
from contend.report.page import page, write_report
from contend.report.summary import errors
from contend.samples.warnings import QualityWarning
from contend.simulate.graphs import comparison
from contend.simulate.graphs import fit as sharing_fit

SVG = re.compile("<svg.*?</svg>", re.S)
NAMESPACES = re.compile(r"http://(www\.w3\.org|purl\.org|creativecommons\.org)/")
HOSTILE = "</script><script>document.title='broken'</script><b>&\"'$title"
ADDRESSES = ("src", "href", "srcset", "action", "data", "poster")


class Elements(HTMLParser):
    """Elements, ids, addresses and text of a page around its drawings, what these say; the page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.page = text
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.said = [unescape(said) for said in re.findall("<title>([^<]*)</title></rect>", text)]
        self.text = ""
        self.feed(SVG.sub("", text))
        self.close()

    def handle_starttag(self, tag: str, attributes: list) -> None:
        known = dict(attributes)
        self.tags.append(tag)
        self.ids += [known["id"]] if "id" in known else []
        self.addresses += [known[name] for name in ADDRESSES if name in known]

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] != ["style"]:
            self.text += data


def of(measured, notes: Sequence[str] = ()) -> str:
    """The page of what was measured."""
    return page(Findings(measured.network, measured.samples), notes)


_SHOWN: dict[int, tuple[object, Elements]] = {}  # with what was measured, which keeps its id


def elements(measured) -> Elements:
    """Those of the page of what was measured, which is written once."""
    if id(measured) not in _SHOWN:
        _SHOWN[id(measured)] = measured, Elements(of(measured))
    return _SHOWN[id(measured)][1]


@pytest.fixture
def measured(measure):
    return measure(algorithms=("native", "direct"))


def test_the_page_is_written_and_is_small(measured, tmp_path: Path) -> None:
    path = write_report(measured.network, measured.samples, tmp_path / "report")
    assert path == tmp_path / "report" / "report.html"
    assert path.stat().st_size < 1_000_000


def test_the_page_asks_nothing_of_any_other_place(measured) -> None:
    found = elements(measured)
    outside = [a for a in found.addresses if not a.startswith(("#", "data:"))]
    assert outside == []
    rest = NAMESPACES.sub("", found.page)
    assert not re.search(r"url\((?!#)|href=\"(?!#|data:)|@import|https?:|//[a-z]+\.", rest)
    assert "<script" not in found.page


def test_links_lead_to_sections_of_the_page(measured) -> None:
    found = elements(measured)
    targets = [address[1:] for address in found.addresses if address.startswith("#")]
    assert len(targets) == 10
    assert targets == found.ids
    assert len(found.ids) == len(set(found.ids))


def test_what_drawings_refer_to_is_theirs_or_the_same(measured) -> None:
    """Names of matplotlib are those of what they stand for, so that twins are alike."""
    found: dict[str, set[str]] = {}
    for drawing in SVG.findall(elements(measured).page):
        used = set(re.findall(r"(?:url\(|href=\")#([^\")]+)", drawing))
        kinds = "path|clipPath|pattern"
        there = dict(re.findall(rf'<(?:{kinds}) id="([^"]+)"[^>]*(.*?)</defs>', drawing, re.S))
        first = re.findall(rf'<(?:{kinds})[^>]* id="([^"]+)"', drawing)
        assert used <= {*there, *first}
        for name in used & there.keys():
            found.setdefault(name, set()).add(there[name])
    assert found


def test_names_from_data_stay_text(measure) -> None:
    plain = elements(measure())
    hostile = measure(name=HOSTILE, host=HOSTILE, algorithms=(HOSTILE,))
    warning = QualityWarning(kind="drifting", where=HOSTILE, message=HOSTILE, hint=HOSTILE)
    network = hostile.network.model_copy(update={"warnings": (warning,)})
    text = of(type(hostile)(network, hostile.samples), [HOSTILE])
    found = Elements(text)
    assert sorted(set(found.tags)) == sorted(set(plain.tags) | {"aside"})
    assert found.text.count(HOSTILE) > 8
    assert "<script>document" not in text


def test_an_attribute_cannot_be_left() -> None:
    assert element("p", title='"><script>') == '<p title="&#34;&gt;&lt;script&gt;"></p>'


def test_every_drawing_is_on_the_page(measured) -> None:
    # Per algorithm 3 n, 2 of the structure, errors and 3 parameters over n; ping-pong, pLogP; a
    # decision map; the overview.
    assert elements(measured).tags.count("figure") == 2 * (3 + 2 + 1 + 3) + 2 + 1 + 1


def test_every_measured_point_is_told(measured) -> None:
    told = elements(measured).said
    sizes = 7  # all but 0 B, which is no exchange
    assert sum("measured" in text for text in told) == sizes * (2 * 3 + 1)


def test_everything_that_is_told_lies_within_its_drawing(measured) -> None:
    findings = Findings(measured.network, measured.samples)
    for drawing in drawings_of(findings, "operation"):
        text = on_page(drawing)
        for svg in SVG.findall(text):
            width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
            for box in re.findall(r'<rect x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)">', svg):
                left, top, wide, high = map(float, box)
                assert -5 <= left <= left + wide <= width + 5
                assert -5 <= top <= top + high <= height + 5


def test_points_of_the_fit_are_told_from_the_others(measured) -> None:
    grid = error_grid(measured.network, measured.network.operations[0])
    assert grid is not None
    assert grid.counts == [2, 4, 8]
    assert grid.is_fitted.tolist() == [[True] * 7, [False] * 7, [True] * 7]
    assert grid.fitted_runs() == [(0, 0, 6), (2, 0, 6)]


def test_the_heat_map_shows_the_errors_of_the_comparison(measured) -> None:
    operation = measured.network.operations[0]
    comparison = compare(measured.network, operation, measured.samples)
    expected = comparison[comparison["form"] == verdict(operation).form]["error"].to_numpy()
    grid = error_grid(measured.network, operation)
    assert grid is not None
    assert np.array_equal(grid.errors.ravel(), expected)


def test_the_page_fits_and_validates_nothing(measured, monkeypatch) -> None:
    """Even its errors are those of the file, whatever the samples beside it say."""
    before = elements(measured).page

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("computed again")

    for form in FORMS.all():
        monkeypatch.setattr(type(form), "fit", refuse)
    for module in (validate, comparison, fit, sharing_fit):
        for name in ("summarise", "record", "cross_validated", "fit_network", "fit_sharing"):
            monkeypatch.setattr(module, name, refuse, raising=False)
    assert of(measured) == before


def test_page_and_console_name_the_same_form_for_the_same_reason(measured, capsys) -> None:
    found = elements(measured).text
    for operation in measured.network.operations:
        reason = verdict(operation).reason
        assert reason[1:] in found
        show_parts(errors(operation))
        assert " ".join(reason.split()) in " ".join(capsys.readouterr().err.split())


def test_a_file_of_before_errors_were_kept_says_what_adds_them(measure) -> None:
    text = elements(measure(is_validated=False)).text
    assert text.count("contend validate NETWORK SAMPLES") == 3
    assert "no form was validated" in text.lower()


def test_an_operation_that_is_no_all_to_all_has_curves_and_errors_but_no_signature(
    measured,
) -> None:
    known = measured.network.operations[0]
    forms = {name: known.forms[name] for name in ("growth", "power_per_size")}
    other = known.model_copy(update={"operation": "bcast", "forms": forms, "signatures": ()})
    network = measured.network.model_copy(update={"operations": (other,)})
    text = elements(type(measured)(network, ())).text
    assert "a contention signature is for an all-to-all alone" in text
    assert "Measured and predicted" in text
    assert "Every form on unseen points" in text
    assert "Signature at each n" not in text


def test_sections_come_in_order(measured) -> None:
    expected = [
        "answer", "operation-1", "operation-2", "probes", "message", "decisions", "warnings",
        "measured", "glossary", "cite",
    ]  # fmt: skip
    assert elements(measured).ids == expected


def test_what_was_measured_is_said(measured) -> None:
    text = elements(measured).text
    for fact in (
        "MPICH Version: 4.2.0", "A processor", "Linux 6.1", "cubic", "samples.jsonl",
        measured.network.origin.samples_sha256, "2025-03-01 10:00:00+01:00 to 2025-03-02",
        f"{len(measured.samples)} with {12 * len(measured.samples)} repetitions",
    ):  # fmt: skip
        assert fact in text
    assert "configured with everything" not in text


def test_what_was_not_recorded_is_said(measured) -> None:
    bare = {"mpi_library": None, "hosts": (), "cpu": None, "date": None}
    samples = [
        s.model_copy(update={"provenance": s.provenance.model_copy(update=bare)})
        for s in measured.samples
    ]
    assert elements(type(measured)(measured.network, samples)).text.count("not recorded") == 4


def test_a_network_without_ping_pong_says_what_is_missing(measure) -> None:
    text = elements(measure(has_ping_pong=False, has_plogp=False)).text
    assert "gamma is 1 by convention" in text
    assert "There is no lower bound without a point-to-point measurement." in text
    assert "No message between two processes alone was measured." in text
    assert "Which algorithm" not in text


def test_no_unseen_point_is_said(measure) -> None:
    text = elements(measure(counts=(8,))).text
    assert "holds no errors on points that the fit has not seen" in text


def test_errors_of_unseen_points_are_shown_by_form_and_regime(measured) -> None:
    text = elements(measured).text
    assert "m ≥ M" in text
    assert "contention factor n" in text
    assert text.count("signature") > 6


def test_warnings_are_grouped_with_a_count_and_the_full_list(measured) -> None:
    many = tuple(
        QualityWarning(kind="drifting", where=f"place {i}", message="it drifts", hint="wait")
        for i in range(12)
    )
    network = measured.network.model_copy(update={"warnings": many})
    text = elements(type(measured)(network, measured.samples)).text
    assert "Drifting 12" in text
    assert "All 12" in text
    assert all(f"place {i}: it drifts" in text for i in range(12))
    assert text.count("Wait.") == 1


def test_notes_are_shown_at_the_top(measured) -> None:
    note = "All ranks ran on one machine."
    text = Elements(of(measured, [note])).text
    assert text.index(note) < text.index("What was measured")


def test_an_operation_without_the_signature_still_has_its_section(measured) -> None:
    known = measured.network.operations[0]
    forms = {name: fit for name, fit in known.forms.items() if name != "hockney_2007"}
    update = {"operations": (known.model_copy(update={"forms": forms}),)}
    text = elements(
        type(measured)(measured.network.model_copy(update=update), measured.samples)
    ).text
    assert "holds no fit of hockney_2007" in text
    assert "latency per size" in text


def test_a_parameter_that_is_a_table_is_said_to_be_one(measured) -> None:
    known = measured.network.operations[0]
    fit = known.forms["plogp_2005"]
    table = Quantity(value=(1.0, 2.0), unit="1")
    fit = fit.model_copy(update={"parameters": {**fit.parameters, "factors": table}})
    operation: Operation = known.model_copy(update={"forms": {**known.forms, "plogp_2005": fit}})
    network = measured.network.model_copy(update={"operations": (operation,)})
    text = elements(type(measured)(network, measured.samples)).text
    assert "table of 2 values" in text


def test_a_validated_network_gives_a_page(measured) -> None:
    network = record(measured.network, measured.samples)
    assert "Measured and predicted" in of(type(measured)(network, measured.samples))


def test_an_operation_without_samples_is_an_error_that_names_it(measured, tmp_path) -> None:
    others = [s for s in measured.samples if s.experiment != "alltoall"]
    with pytest.raises(InvalidInputError, match="no sample of alltoall"):
        write_report(measured.network, others, tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_a_folder_that_is_a_file_is_a_storage_error(measured, tmp_path: Path) -> None:
    (tmp_path / "report").write_text("")
    with pytest.raises(StorageError, match="cannot write"):
        write_report(measured.network, measured.samples, tmp_path / "report")


@pytest.mark.parametrize("span", [1.01, 1.5, 3.0, 20.0, 1e6])
def test_a_time_axis_has_two_names_or_more(span: float) -> None:
    values, names = time_ticks(3e-6, 3e-6 * span)
    assert len(values) == len(names) == len(set(names)) >= 2
