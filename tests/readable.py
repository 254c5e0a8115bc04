"""Whether the letters of a picture can be read."""

import itertools

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def check_texts(fig):
    """No letter is too small, cut off or printed over another."""
    renderer = FigureCanvasAgg(fig).get_renderer()
    texts = [text for text in printed_texts(fig, renderer) if text.get_text()]
    assert texts
    boxes = {text: text.get_window_extent(renderer).padded(-1) for text in texts}
    for text, box in boxes.items():
        assert text.get_fontsize() >= 8, text
        assert 0 <= box.x0 <= box.x1 <= fig.bbox.width, text
        assert 0 <= box.y0 <= box.y1 <= fig.bbox.height, text
    for one, other in itertools.combinations(boxes, 2):
        assert not boxes[one].overlaps(boxes[other]), (one, other)


def printed_texts(fig, renderer):
    """Texts that are printed: an axis also has labels of ticks beyond its ends."""
    texts, draw = {}, Text.draw

    def remember(text, renderer):
        if text.get_visible():
            texts[text] = None
        draw(text, renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", remember)
        fig.draw(renderer)
    return list(texts)
