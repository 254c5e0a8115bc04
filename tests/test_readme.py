"""The README's examples run, and print what it says."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_examples_print_what_the_readme_shows(capsys):
    blocks = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(blocks) == 2
    namespace: dict[str, object] = {}
    for code, output in blocks:
        exec(code, namespace)
        assert capsys.readouterr().out == output
