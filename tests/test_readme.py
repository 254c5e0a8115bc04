"""The README's examples run, and print what it says."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def examples() -> list[tuple[str, str]]:
    """Python code that is followed by its output."""
    return re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", README.read_text(), re.DOTALL)


def test_examples_print_what_the_readme_shows(capsys):
    assert len(examples()) == 1
    namespace: dict[str, object] = {}
    for code, output in examples():
        exec(code, namespace)
        assert capsys.readouterr().out == output
