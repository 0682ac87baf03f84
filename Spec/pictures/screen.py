#!/usr/bin/env python3
"""Draw screens of a terminal, as `tmux capture-pane -e` prints them, as one SVG picture with a frame for each.

Usage: screen.py TITLE FILE... >PICTURE
Several screens are shown one after the other, each for three seconds."""

import re
import sys
import unicodedata
from html import escape

BACKGROUND, FOREGROUND = "#1d2021", "#e6e1cf"
PALETTE = [
    "#1d2021", "#e5534b", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#cdd9e5",
    "#768390", "#ff938a", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#ffffff",
]
WIDTH, HEIGHT, MARGIN, SECONDS = 8.4, 18, 12, 3


def width(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def style_after(style, parameters):
    """The style after a sequence that selects one: (foreground, background, bold, underlined, reversed)."""
    foreground, background, bold, underlined, is_reversed = style
    for number in [int(part or 0) for part in parameters.split(";")]:
        if number == 0:
            foreground, background, bold, underlined, is_reversed = None, None, False, False, False
        elif number == 1:
            bold = True
        elif number == 4:
            underlined = True
        elif number == 7:
            is_reversed = True
        elif 30 <= number <= 37 or 90 <= number <= 97:
            foreground = PALETTE[number - 30 if number < 90 else number - 82]
        elif 40 <= number <= 47 or 100 <= number <= 107:
            background = PALETTE[number - 40 if number < 100 else number - 92]
        elif number == 39:
            foreground = None
        elif number == 49:
            background = None
    return foreground, background, bold, underlined, is_reversed


def runs(screen):
    """The pieces of a screen: row, column, text, number of columns and style, which lasts beyond the end of a line."""
    style = (None, None, False, False, False)
    for row, line in enumerate(screen):
        column = 0
        for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
            sequence = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
            if sequence:
                style = style_after(style, sequence[1])
            elif piece:
                count = sum(map(width, piece))
                yield row, column, piece, count, style
                column += count


def draw(screen):
    for row, column, text, count, (foreground, background, bold, underlined, is_reversed) in runs(screen):
        text_color, fill = foreground or FOREGROUND, background
        if is_reversed:
            text_color, fill = background or BACKGROUND, foreground or FOREGROUND
        x, y, length = MARGIN + column * WIDTH, MARGIN + row * HEIGHT, count * WIDTH
        if fill:
            yield f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{HEIGHT}" fill="{fill}"/>'
        if not text.strip() and not underlined:
            continue
        looks = (' font-weight="bold"' if bold else "") + (' text-decoration="underline"' if underlined else "")
        yield (
            f'<text x="{x:.1f}" y="{y + 13.5}" textLength="{length:.1f}" fill="{text_color}"{looks}>'
            f"{escape(text)}</text>"
        )


def main():
    title, screens = sys.argv[1], [open(path, encoding="utf-8").read().split("\n")[:-1] for path in sys.argv[2:]]
    columns = max(column + count for screen in screens for _, column, _, count, _ in runs(screen))
    rows = max(map(len, screens))
    total = len(screens) * SECONDS
    across, down = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:.0f} {down}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        "<style>text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    )
    for index, screen in enumerate(screens):
        # Without animation, only the first screen is shown.
        print(f'<g xml:space="preserve" display="{"none" if index else "inline"}">')
        if len(screens) > 1:
            shown = ["none"] * len(screens)
            shown[index] = "inline"
            print(
                f'<animate attributeName="display" values="{";".join(shown)}" dur="{total}s" calcMode="discrete" '
                'repeatCount="indefinite"/>'
            )
        print("\n".join(draw(screen)))
        print("</g>")
    print("</svg>")


main()
