"""A chart of lines between two logarithmic axes, as SVG that is legible on light and on dark pages."""

import math

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 184, 16, 48
STYLE = """text { font: 13px system-ui, sans-serif; fill: #24292f }
.grid { stroke: #8c959f; stroke-opacity: .35 }
.line { fill: none; stroke-width: 2 }
.s0 { stroke: #0969da } .s1 { stroke: #bf5700 } .s2 { stroke: #1a7f37 } .s3 { stroke: #8250df }
circle { stroke-width: 2; fill: none }
@media (prefers-color-scheme: dark) { text { fill: #d0d7de } .s0 { stroke: #58a6ff } .s1 { stroke: #f0883e }
.s2 { stroke: #3fb950 } .s3 { stroke: #bc8cff } }"""


def decades(values):
    """Powers of ten, as exponents, from below the least to above the greatest."""
    return range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)


def count(value):
    for size, letter in ((1_000_000, " M"), (1_000, " k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def duration(seconds):
    return f"{seconds:g} s" if seconds >= 1 else f"{seconds * 1000:g} ms"


def scaling(title, series):
    """`series`: for each name, pairs of a number of objects and seconds."""
    points = [point for line in series.values() for point in line]
    across, up = decades([x for x, _ in points]), decades([y for _, y in points])

    def x(value):
        return round(LEFT + (math.log10(value) - across[0]) / (across[-1] - across[0]) * (WIDTH - LEFT - RIGHT), 1)

    def y(value):
        return round(HEIGHT - BOTTOM - (math.log10(value) - up[0]) / (up[-1] - up[0]) * (HEIGHT - TOP - BOTTOM), 1)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             f"<title>{title}</title>", f"<style>{STYLE}</style>"]
    for exponent in across:
        at = x(10 ** exponent)
        parts.append(f'<path class="grid" d="M{at} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{at}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count(10 ** exponent)}</text>')
    for exponent in up:
        at = y(10 ** exponent)
        parts.append(f'<path class="grid" d="M{LEFT} {at}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4}" text-anchor="end">{duration(10 ** exponent)}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">objects</text>')
    for index, (name, line) in enumerate(series.items()):
        path = " ".join(f"{x(a)},{y(b)}" for a, b in line)
        parts.append(f'<polyline class="line s{index}" points="{path}"/>')
        parts += [f'<circle class="s{index}" cx="{x(a)}" cy="{y(b)}" r="3"/>' for a, b in line]
        parts.append(f'<text x="{WIDTH - RIGHT + 10}" y="{label(series, name, y)}">{name}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def label(series, name, y):
    """Where a line's name stands: at its end, below the names of the lines that end above it."""
    at = -math.inf
    for other, line in sorted(series.items(), key=lambda pair: y(pair[1][-1][1])):
        at = max(at + 16, y(line[-1][1]) + 4)
        if other == name:
            return at
