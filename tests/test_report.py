"""The report: its page for whole, partial and empty studies, and in a real browser."""

from __future__ import annotations

import dataclasses
import math
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape
from matplotlib.figure import Figure
from rich.console import Console

from experiments.analysis import report
from experiments.analysis.document import page as rendering
from experiments.analysis.document.folder import PAGE
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.parts import (
    Gallery,
    Paragraph,
    Picture,
    Points,
    Section,
    Table,
)
from experiments.analysis.sections.results import results_section
from experiments.analysis.sections.verdict import verdict_section
from mlmlm.metrics import PAPER_METRICS
from tests.harness import ROOT
from tests.made_records import DATASETS, made_record, made_study

METHODS = ("ML-MLM", "BR-MLM", "LLS-MLM", "NN-MLM")
PAPER = ROOT / "results" / "committed" / "paper"
VALUES = [2.0, 10.0, math.nan, -1.0, 2.0, 0.5]
TEXTS = ["row 2", "Row 10", "row 1", "ähnlich", "row 2 <b>", "zuletzt"]
LONG = (
    "Whether `a < b` holds & **why**, in a sentence that needs more than one line of a phone. " * 2
)


def values_table() -> Table:
    """Numbers, some of them published, one missing, one with a deviation."""
    values = pd.DataFrame({"n": VALUES}, index=pd.Index(TEXTS, name="method"))
    many = {f"dataset {number}": VALUES for number in range(14)}
    values = values.assign(**many)
    published = values + 0.001
    agrees = (values * 0).eq(0).astype(object).where(values.notna(), None)
    agrees.iloc[1, 0] = False
    deviations = values.where(values == -1) * -0.1
    return Table(
        "values",
        "Values",
        values,
        published=published,
        agrees=agrees,
        best=values.eq(10),
        deviations=deviations,
    )


def words_table() -> Table:
    """Verdicts on many claims, in words."""
    rows = [(f"c{n}", LONG, "holds" if n % 3 else "does not hold") for n in range(30)]
    values = pd.DataFrame(rows, columns=["id", "evidence", "ours"]).set_index("id")
    titles = {"ours": "with our values"}
    note = "See `code`."
    return Table("words", "Claims <i>", values, note=note, linked=True, titles=titles)


def folded_table() -> Table:
    return Table("pairs_of_all", "Pairs", pd.DataFrame({"p": [0.5]}, index=["a"]), folded=True)


def empty_table() -> Table:
    return Table("empty", "Nothing", pd.DataFrame(columns=["a", "b"]))


def drawing() -> Figure:
    figure = Figure(figsize=(9, 3))
    figure.subplots().plot([1, 3, 2])
    return figure


def rich(results: StudyResults) -> Section:
    """A section with every kind of part."""
    diagrams = [
        Picture(f"cd_published_{metric}", f"Diagram {metric}", drawing(), "A `caption`.")
        for metric in PAPER_METRICS
    ]
    parts = [
        Paragraph("Plain <script>alert(1)</script> & `code`, **bold**."),
        Points(["See [claim 3](#words-c3).", "And <i>more</i>."]),
        *(values_table(), words_table(), empty_table(), folded_table()),
        diagrams[0],
        Gallery(diagrams[1:]),
    ]
    return Section("Every kind & more", parts, "make report STUDY=x")


def plain(results: StudyResults) -> Section:
    return Section("Plain", [Paragraph("text")])


def broken(results: StudyResults) -> Section:
    raise ValueError("no <such> thing")


SUMMARISED = {"verdict": verdict_section, "results": results_section}


def build(folder: Path, **sections) -> bool:
    return report.build(StudyResults(folder), sections, Console())


class Page(HTMLParser):
    """What a test asks of a page; fails where tags are not closed in order."""

    VOID = frozenset(("meta", "link", "img", "br"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.sources: list[str] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self._open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name == "href":
                (self.sources if tag == "link" else self.addresses).append(value)
            elif name == "clip-path":
                self.addresses.append(value.removeprefix("url(").removesuffix(")"))
            elif name in ("src", "srcset", "data", "action"):
                self.sources.append(value)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open and self._open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def read(folder: Path) -> Page:
    return Page((folder / PAGE).read_text())


def check(folder: Path) -> Page:
    """A page is whole: its links lead somewhere, and it loads nothing."""
    page = read(folder)
    assert len(page.ids) == len(set(page.ids))
    for address in page.addresses:
        assert not re.match(r"[a-z]+:|/", address), address
        if address.startswith("#"):
            assert address[1:] in page.ids
        else:
            assert (folder / address).is_file(), address
    assert all(source.startswith("data:") for source in page.sources)
    text = (folder / PAGE).read_text()
    assert "@import" not in text
    assert not re.search(r"url\((?!data:)", re.search("<style>.*?</style>", text, re.S)[0])
    return page


def files(folder: Path) -> set[str]:
    found = [*(folder / "tables").glob("*"), *(folder / "figures").glob("*")]
    return {path.relative_to(folder).as_posix() for path in found}


# The page


@pytest.fixture(scope="module")
def rich_study(tmp_path_factory):
    """The folder of a report with a section that has every kind of part."""
    folder = tmp_path_factory.mktemp("rich")
    assert build(folder, rich=rich, plain=plain)
    return folder


def test_every_kind_of_part_is_on_the_page(rich_study):
    page = check(rich_study)
    assert {"table-values", "table-words", "table-empty", "rich", "plain"} <= set(page.ids)
    assert {f"figure-cd_published_{metric}" for metric in PAPER_METRICS} <= set(page.ids)
    assert {"words-c0", "words-c29"} <= set(page.ids)
    assert "Plain <script>alert(1)</script> & code, bold." in page.text
    assert "See claim 3. And <i>more</i>." in page.text
    assert "Claims <i>" in page.text
    assert "with our values" in page.text
    assert page.text.count("make report STUDY=x") == 4  # under each table
    assert "nothing for this table yet" in page.text


def test_cells_say_how_they_agree_in_signs_and_words(rich_study):
    text = (rich_study / PAGE).read_text()
    row = re.search(r"<tr[^>]*><th[^>]*>Row 10</th>(<td.*?</td>)(<td.*?</td>)", text)
    assert row[1] == (
        '<td class="number differs best" data-value="10.0" '
        'title="differs from the published 10.001">10.000<small>≠ 10.001</small></td>'
    )
    assert row[2] == (
        '<td class="number agrees best" data-value="10.0" '
        'title="agrees with the published 10.001">10.000<small>= 10.001</small></td>'
    )
    deviating = re.search(r"<th[^>]*>ähnlich</th>(<td.*?</td>)", text)
    assert ">-1.000<small>± 0.100</small><small>= -0.999</small></td>" in deviating[1]
    missing = re.search(r"<th[^>]*>row 1</th>(<td.*?</td>)", text)
    assert missing[1] == '<td class="number missing">–</td>'
    assert "Only what differs (1 of 6 rows)" in text
    assert "Only what differs (10 of 30 rows)" in text


def test_a_published_value_is_not_its_own_comparison():
    values = pd.DataFrame({"a": [0.5, math.nan]}, index=["theirs", "ours"])
    table = Table("t", "T", values, published=pd.DataFrame({"a": [0.5, 0.7]}, index=values.index))
    theirs, ours = (row.cells[0] for row in rendering.lay_out(table).rows)
    assert (rendering.meaning(theirs), theirs.published) == ("", None)
    assert rendering.meaning(ours) == "no value of ours beside the published 0.700"
    assert rendering.state(ours, "a") == "missing"


def test_the_same_records_give_the_same_bytes(tmp_path):
    pages = []
    for place in ("one", "two"):
        study = tmp_path / place / "study"
        made_study(study, [made_record("ML-MLM", "yeast")])
        assert build(study, rich=rich, results=results_section)
        pages.append((study / PAGE).read_bytes())
    assert pages[0] == pages[1]
    assert str(tmp_path).encode() not in pages[0]


@settings(deadline=None)
@given(st.text())
def test_text_is_shown_as_it_is_but_for_its_marks(text):
    shown = unescape(re.sub("<[^>]*>", "", rendering.inline(text)))
    marks = r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\[\]]+)\]\([^()\s]+\)"
    assert shown == re.sub(marks, lambda mark: mark[1] or mark[2] or mark[3], text)
    if "`" not in text and "**" not in text and "](" not in text:
        assert rendering.inline(text) == escape(text)


def test_marks():
    assert rendering.inline("**a** `<b>` **") == "<b>a</b> <code>&lt;b&gt;</code> **"
    assert rendering.inline('[see](a.html?"x")') == '<a href="a.html?&#34;x&#34;">see</a>'


def test_pictures_are_part_of_the_page_in_its_colours(rich_study):
    text = (rich_study / PAGE).read_text()
    drawings = re.findall(r"<svg .*?</svg>", text, re.S)
    assert len(drawings) == len(PAPER_METRICS) + 2  # two of them are on the first screen too
    for drawn in drawings:
        assert "<text" in drawn  # letters are letters
        assert "var(--paper)" in drawn
        assert not re.search(r"#000000|#ffffff|<\?xml|<style|\.\d{3}", drawn)
    assert "<img" not in text
    file = (rich_study / "figures" / "cd_published_coverage.svg").read_text()
    assert "var(" not in file
    assert "<svg" in file


# The command


def test_a_section_that_fails_costs_itself_only(tmp_path, capsys):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "of_broken.csv").touch()
    assert not build(tmp_path, broken=broken, plain=plain)
    page = check(tmp_path)
    assert "This part failed: ValueError: no <such> thing" in page.text
    assert {"broken", "plain"} <= set(page.ids)
    assert files(tmp_path) == {"tables/of_broken.csv", "tables/cells.csv"}
    out, err = capsys.readouterr()
    assert re.search(r"^broken +failed$", out, re.M)
    assert "Traceback" in err


def test_a_section_that_has_nothing_to_show_is_not_on_the_page(tmp_path):
    assert build(tmp_path, plain=plain, empty=lambda results: Section("Empty", []))
    page = check(tmp_path)
    assert "plain" in page.ids and "empty" not in page.ids
    assert "Empty" not in page.text


def test_what_no_section_shows_is_removed(tmp_path):
    for folder in ("tables", "figures"):
        (tmp_path / folder).mkdir()
    for name in ("tables/old.csv", "figures/old.svg"):
        (tmp_path / name).touch()
    build(tmp_path, rich=rich)
    tables = {
        f"tables/{t}.{form}"
        for t in ("values", "words", "empty", "pairs_of_all")
        for form in ("csv", "md", "tex")
    }
    pictures = {
        f"figures/cd_published_{m}.{form}" for m in PAPER_METRICS for form in ("svg", "pdf")
    }
    assert files(tmp_path) == tables | pictures | {"tables/cells.csv"}


def test_the_papers_own_sections_are_the_papers_alone():
    own = {"verdict", "claims", "text_differences", "leak", "distances", "powers", "toy"}
    assert own <= set(report.sections_of("paper"))
    for study in ("reference", "one_footing", "leak_free", "mine"):
        assert set(report.GENERAL) <= set(report.sections_of(study))
        assert not own & set(report.sections_of(study))


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["no/such/folder"]])
def test_wrong_arguments_are_told_in_one_line(arguments, capsys):
    assert report.main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_folder_of_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "holiday.png").touch()
    (tmp_path / "thesis.tex").touch()
    assert report.main([str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert {path.name for path in tmp_path.rglob("*")} == {"figures", "holiday.png", "thesis.tex"}


def test_a_broken_record_is_told_in_one_line(tmp_path, capsys):
    made_study(tmp_path, [made_record("ML-MLM", "yeast")])
    (path,) = (tmp_path / "records" / "yeast").glob("*.json")
    path.write_text("{")
    assert report.main([str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "not a whole record" in line


# Whole, partial and empty studies


def test_the_summary_of_a_whole_study(tmp_path):
    records = [made_record(method, dataset) for method in METHODS for dataset in DATASETS]
    wrong = {name: value + 1 for name, value in records[0].metrics.items()}
    records[0] = dataclasses.replace(records[0], metrics=wrong)
    made_study(tmp_path / "paper", records)
    assert build(tmp_path / "paper", **SUMMARISED)
    text = check(tmp_path / "paper").text
    assert "The study paper" in text
    assert "40 runs of 2026-11-16 commit 3efbd031f887 with changes AMD EPYC, 2 cores, 25 GB" in text
    assert f"{280 - len(PAPER_METRICS)} of 280 cells of the result tables agree as printed" in text
    assert "No runs" not in text


def test_the_summary_of_a_partial_study_says_what_is_missing(tmp_path):
    records = [made_record("ML-MLM", "yeast"), *(made_record(name, "scene") for name in METHODS)]
    made_study(tmp_path / "paper", records)
    assert build(tmp_path / "paper", **SUMMARISED)
    text = check(tmp_path / "paper").text
    others = "Medical, Emotions, Enron, Corel5k, Bibtex, Delicious, Tmc2007, Mediamill"
    assert f"No runs in this study: {others}." in text
    assert "No runs in this study on Yeast: BR-MLM, LLS-MLM, NN-MLM." in text
    assert "36 of 280 cells" in text


@pytest.mark.skipif(not (PAPER / "records").is_dir(), reason="no committed study")
def test_the_summary_of_the_committed_study_counts_as_its_cells_do(tmp_path):
    shutil.copytree(PAPER / "records", tmp_path / "paper" / "records")
    shutil.copy(PAPER / "study.json", tmp_path / "paper")
    assert build(tmp_path / "paper", **SUMMARISED)
    cells = StudyResults(tmp_path / "paper").cells.query("published.notna()")
    counts = {
        "cells of the result tables": cells.query("table == 'results'")["agrees"],
        "chosen powers": cells.query("metric == 'log2_power'")["agrees"],
        "predicted distances": cells.query("metric.str.startswith('distance')")
        .groupby("dataset")["agrees"]
        .all(),
    }
    text = check(tmp_path / "paper").text
    for name, agrees in counts.items():
        assert f"{agrees.sum()} of {len(agrees)} {name}" in text


@pytest.mark.slow
def test_an_empty_study_has_every_section_but_that_of_fits_and_no_value_of_ours(tmp_path, capsys):
    folder = tmp_path / "paper"
    folder.mkdir()
    assert report.main([str(folder)]) == 0
    assert "no records" in capsys.readouterr().out
    page = check(folder)
    assert set(report.sections_of("paper")) - set(page.ids) == {"reliability"}
    assert "This study has no records yet" in page.text
    assert "0 of 280 cells" in page.text
    assert "Accuracy, as published" in page.text
    assert "There are no records yet, so there is nothing to compare." in page.text


# In a browser

in_browser = pytest.mark.slow
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
LAPTOP = {"width": 1366, "height": 768, "deviceScaleFactor": 1, "mobile": False}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Chromium, with the driver that is installed: nothing is fetched."""
    webdriver = pytest.importorskip("selenium.webdriver")
    programs = [shutil.which("chromium"), shutil.which("chromedriver")]
    if not all(programs):
        pytest.skip("there is no Chromium with its driver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for flag in [*FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def rich_page(rich_study):
    return (rich_study / PAGE).as_uri()


@pytest.fixture
def page(browser, rich_page):
    """The page newly opened on a laptop; at the end nothing must have gone wrong on it."""
    show(browser, LAPTOP)
    browser.get(rich_page)
    yield browser
    assert browser.get_log("browser") == []


def show(browser, screen, scheme="light"):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def until(browser, holds):
    """Wait for something that follows of itself, however busy the machine is."""
    wait = pytest.importorskip("selenium.webdriver.support.wait")
    wait.WebDriverWait(browser, 60).until(holds)


def head(page, table, column):
    return page.find_elements("css selector", f"#rows-{table} thead th")[column]


def column(page, table, number):
    """The texts of a column as they are shown, without the published ones."""
    script = """return [...document.querySelectorAll(`#rows-${arguments[0]} tbody tr`)]
        .filter((row) => row.checkVisibility())
        .map((row) => row.cells[arguments[1]].firstChild.textContent)"""
    return page.execute_script(script, table, number)


def width(page):
    return page.execute_script("return document.scrollingElement.scrollWidth")


def background(page):
    return page.execute_script("return getComputedStyle(document.body).backgroundColor")


@in_browser
def test_the_page_opens_without_errors_and_loads_nothing(page):
    assert "the study rich" in page.title
    loaded = page.execute_script(
        "return performance.getEntriesByType('resource').map((e) => e.name)"
    )
    assert [name for name in loaded if not name.startswith("data:")] == []
    sizes = page.execute_script("""
        return [...document.querySelectorAll("svg")].map((one) => one.clientWidth)""")
    assert len(sizes) == 10
    assert min(sizes) > 300


@in_browser
def test_a_click_sorts_numbers_up_down_and_back(page):
    shown = ["–" if math.isnan(value) else f"{value:.3f}" for value in VALUES]
    present = [value for value in VALUES if not math.isnan(value)]
    up = [f"{value:.3f}" for value in sorted(present)] + ["–"]
    down = [f"{value:.3f}" for value in sorted(present, reverse=True)] + ["–"]
    assert column(page, "values", 1) == shown
    for order, expected in [("ascending", up), ("descending", down), ("none", shown)]:
        head(page, "values", 1).find_element("css selector", "button").click()
        assert head(page, "values", 1).get_attribute("aria-sort") == order
        assert column(page, "values", 1) == expected


@in_browser
def test_sorting_is_stable_and_of_one_column(page):
    head(page, "values", 0).find_element("css selector", "button").click()
    assert column(page, "values", 0) == [
        "ähnlich",
        "row 1",
        "row 2",
        "row 2 <b>",
        "Row 10",
        "zuletzt",
    ]
    head(page, "values", 1).find_element("css selector", "button").click()
    assert head(page, "values", 0).get_attribute("aria-sort") == "none"
    pairs = sorted(zip(VALUES, TEXTS, strict=True), key=lambda pair: (math.isnan(pair[0]), pair[0]))
    assert column(page, "values", 0) == [text for _, text in pairs]


@in_browser
@pytest.mark.parametrize("key", ["\ue007", " "], ids=["enter", "space"])
def test_keys_sort(page, key):
    head(page, "values", 1).find_element("css selector", "button").send_keys(key)
    assert head(page, "values", 1).get_attribute("aria-sort") == "ascending"
    assert column(page, "values", 1)[0] == "-1.000"


@in_browser
def test_rows_can_be_narrowed(page):
    bar = page.find_element("css selector", "[data-table=rows-words]")
    button = bar.find_element("css selector", "button")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert column(page, "words", 2) == ["does not hold"] * 10
    assert bar.find_element("css selector", "output").text == "10 of 30 rows"
    bar.find_element("css selector", "select").send_keys("holds")
    assert column(page, "words", 2) == []
    button.click()
    assert column(page, "words", 2) == ["holds"] * 20


UNSAID = """
    const wide = [...document.querySelectorAll(".scroll, .card")]
        .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 2);
    const unsaid = wide.filter((box) => !box.previousElementSibling.matches(".hint:not([hidden])"));
    return [wide.length, unsaid.length]"""


def check_screen(browser, address, screen, scheme):
    """Nothing is out of reach: the page does not scroll sideways, and what does says so."""
    show(browser, screen, scheme)
    browser.get(address)
    browser.execute_script("document.querySelectorAll('details').forEach((one) => (one.open = 1))")
    until(browser, lambda page: page.execute_script(UNSAID)[1] == 0)
    assert width(browser) <= screen["width"]  # which may have a bar to scroll down
    assert browser.get_log("browser") == []
    return browser.execute_script(UNSAID)[0]


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_wider_than_its_place_scrolls_and_says_so(browser, rich_page, scheme):
    assert check_screen(browser, rich_page, PHONE, scheme) > 2
    assert check_screen(browser, rich_page, LAPTOP, scheme) > 0


@in_browser
def test_the_report_of_a_study_on_any_screen(browser, tmp_path):
    rows = ("ML-MLM", "NN-MLM", "RF-PCT", "HOMER", "BR-SVM", "CC-SVM", "ML-kNN", "BR-MLM")
    runs = [made_record(row, name) for row in rows for name in DATASETS[:4]]
    results = made_study(tmp_path / "mine", runs, published=False)
    assert report.build_report(results, Console())
    check(tmp_path / "mine")
    for screen, scheme in ((LAPTOP, "light"), (PHONE, "dark")):
        check_screen(browser, (tmp_path / "mine" / PAGE).as_uri(), screen, scheme)


@in_browser
def test_the_end_of_a_scroll_is_seen(page):
    box = page.find_element("css selector", "#table-values .scroll")
    assert "more" in box.get_attribute("class").split()
    page.execute_script("arguments[0].scrollLeft = arguments[0].scrollWidth", box)
    until(page, lambda _: "more" not in box.get_attribute("class").split())


@in_browser
def test_a_picture_opens_large_and_closes(page):
    dialog = page.find_element("id", "large")
    card = page.find_element("css selector", "#figure-cd_published_coverage .card")
    small = card.find_element("css selector", "svg").size["width"]
    page.execute_script("arguments[0].scrollIntoView()", card)
    card.click()
    assert dialog.is_displayed()
    assert dialog.find_element("css selector", "svg").size["width"] > small
    dialog.find_element("css selector", "button").click()
    assert not dialog.is_displayed()


@in_browser
def test_a_link_leads_to_the_row_of_a_claim(page):
    page.find_element("link text", "claim 3").click()
    row = page.find_element("css selector", "tr:target")
    assert row.text.startswith("c3 ")


@in_browser
def test_the_keyboard_reaches_everything(page):
    page.switch_to.active_element.send_keys("\ue004")
    assert page.switch_to.active_element.text == "Skip the summary"
    assert page.switch_to.active_element.location["x"] >= 0
    page.switch_to.active_element.send_keys("\ue007")
    assert page.execute_script("return location.hash") == "#contents"
    reached = page.execute_script("""
        return [...document.querySelectorAll(".scroll, thead button, select, summary, #theme")]
            .every((one) => one.tabIndex === 0)""")
    assert reached


@in_browser
def test_light_and_dark_as_the_system_says_or_the_reader(page, rich_page):
    light = background(page)
    show(page, LAPTOP, "dark")
    dark = background(page)
    assert dark != light
    theme = page.find_element("id", "theme")
    for label, colour in [("light", light), ("dark", dark), ("auto", dark), ("light", light)]:
        theme.click()
        assert theme.text == f"Theme: {label}"
        assert background(page) == colour
    page.get(rich_page)
    assert background(page) == light
    page.execute_script("localStorage.clear()")


@in_browser
@pytest.mark.skipif(not (PAPER / PAGE).is_file(), reason="no committed report")
def test_the_committed_report(browser):
    check(PAPER)
    for screen in (LAPTOP, PHONE):
        check_screen(browser, (PAPER / PAGE).as_uri(), screen, "light")
