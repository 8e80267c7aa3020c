"""What people read is run: the page, the notebook, the drawings, the docstrings; and types hold."""

from __future__ import annotations

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import POLICY, ROOT, table

import equanym as eq

PACKAGE = pathlib.Path(eq.__file__).parent


def test_every_block_of_the_page_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"docs/python.md, block {number}", "exec"), names)


def test_the_notebook_runs(tmp_path: pathlib.Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "examples/hospital.ipynb", as_version=4)
    shutil.copytree(ROOT / "examples/hospital", tmp_path / "hospital")
    (tmp_path / "kernels/python3").mkdir(parents=True)
    spec = f'{{"argv": ["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"], "display_name": "Python 3", "language": "python"}}'
    (tmp_path / "kernels/python3/kernel.json").write_text(spec)
    old = os.environ.get("JUPYTER_PATH")
    os.environ["JUPYTER_PATH"] = str(tmp_path)
    try:
        client.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    finally:
        os.environ.pop("JUPYTER_PATH") if old is None else os.environ.update(JUPYTER_PATH=old)
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)


class Tags(html.parser.HTMLParser):
    """Counts what is opened and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in {"rect", "br", "img", "line", "path", "circle", "text"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()


def test_results_draw_themselves() -> None:
    release = eq.release(table(), POLICY)
    shown = [eq.Policy(POLICY), eq.risk(table(), POLICY), release, eq.compare(table(), release, POLICY), eq.attack(release, table())]
    for one in shown:
        page = one._repr_html_()
        tags = Tags()
        tags.feed(page)
        assert tags.seen and not tags.open, type(one)
        assert "PLANTED" not in page and "<script" not in page
        assert repr(one).startswith("<")
    assert "&lt;svg" in release._repr_html_(), "the drawings of the report"
    assert 'sandbox=""' in release._repr_html_()


def test_everything_public_is_described() -> None:
    for name in eq.__all__:
        one = getattr(eq, name)
        if callable(one) and getattr(one, "__module__", "").startswith("equanym"):
            assert one.__doc__, name
            for member, method in vars(one).items() if isinstance(one, type) else ():
                if not member.startswith("_") and callable(method):
                    assert method.__doc__, f"{name}.{member}"


def test_families_are_described_by_their_cards() -> None:
    families = eq.families()
    assert {"privacy", "loss", "search", "method"} <= families.keys()
    card = families["privacy"]["k-anonymity"]
    assert card["summary"] and card["about"] and card["source"]
    for family in families.values():
        for name, one in family.items():
            assert one.__doc__ and one.__doc__.startswith(f"{name}: ") and "Source: " in one.__doc__


def test_the_reference_is_made_from_the_docstrings() -> None:
    command = [sys.executable, str(ROOT / "crates/python/reference.py")]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    page = ROOT / "docs/python-reference.md"
    if os.environ.get("EQUANYM_BLESS"):
        page.write_text(made, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == made, "EQUANYM_BLESS=1 writes it anew"


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_hold(checker: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip(checker)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "page.py").write_text("\n".join(blocks))
    notebook = json.loads((ROOT / "examples/hospital.ipynb").read_text(encoding="utf-8"))
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    (tmp_path / "notebook.py").write_text("\n".join(cells))
    examples = [str(tmp_path / name) for name in ("page.py", "notebook.py")]
    settings = ["--config-file", str(ROOT / "pyproject.toml")]
    if checker == "mypy":
        commands = [[*settings, "--strict", "--package", "equanym"], [*settings, "--strict", *examples]]
    else:
        commands = [["--pythonpath", sys.executable, str(PACKAGE), *examples]]
    for arguments in commands:
        done = subprocess.run([sys.executable, "-m", checker, *arguments], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
