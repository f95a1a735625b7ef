"""plots.py — the two plots of docs/performance.md, from figures as JSON on standard input.

    plots.py SPEED.svg CEILINGS.svg"""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams |= {"svg.hashsalt": "libxorcore", "svg.fonttype": "none", "font.size": 8, "axes.grid": True,
                        "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False}

import matplotlib.pyplot as plt  # noqa: E402

COLOURS = {"xorcore": "#0b62a4", "openssl": "#c0392b", "libgcrypt": "#2e8b57", "nettle": "#8e44ad", "isal": "#b9770e",
           "ipsec-mb": "#16a085", "memcpy": "#7f8c8d", "go-sse2": "#d35400", "gcc-loop": "#95a5a6"}


def save(figure, file):
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def speed(panels, title, file):
    """A panel an operation: GB/s over size, a line an implementation, the ceiling dashed."""
    rows = (len(panels) + 1) // 2
    figure, axes = plt.subplots(rows, 2, figsize=(9, 2.4 * rows), layout="constrained")
    for axis, panel in zip(axes.flat, panels, strict=False):
        for name, points in panel["lines"].items():
            sizes, gbps = zip(*points, strict=True)
            ours = name == "xorcore"
            axis.plot(sizes, gbps, label=name, color=COLOURS.get(name, "#333333"), linewidth=2 if ours else 1,
                      zorder=3 if ours else 2)
        if panel["ceiling"]:
            axis.axhline(panel["ceiling"], color="black", linestyle="--", linewidth=1, label="ceiling")
        axis.set_title(panel["name"], fontsize=9, fontweight="bold")
        axis.set_xscale("log", base=2)
        axis.set_ylim(bottom=0)
        axis.set_ylabel("GB/s")
        axis.set_xlabel("bytes of a message")
        axis.legend(fontsize=6, frameon=False)
    for axis in list(axes.flat)[len(panels):]:
        axis.axis("off")
    figure.suptitle(title)
    save(figure, file)


def ceilings(bars, title, file):
    """A bar an operation and key: our percent of the ceiling, and the best peer's as a mark."""
    figure, axis = plt.subplots(figsize=(9, 0.28 * len(bars) + 1.2), layout="constrained")
    at = range(len(bars))
    axis.barh(at, [bar["ours"] for bar in bars], color=COLOURS["xorcore"], height=0.6, label="xorcore")
    marked = [(bar["peer"], y) for y, bar in zip(at, bars, strict=True) if bar["peer"] is not None]
    if marked:
        axis.plot(*zip(*marked, strict=True), "D", color=COLOURS["openssl"], markersize=4, linestyle="none",
                  label="best peer")
    for y, bar in zip(at, bars, strict=True):
        axis.text(0.8, y, f"{bar['ours']:.0f} %", va="center", fontsize=7, color="white", fontweight="bold")
    axis.axvline(100, color="black", linestyle="--", linewidth=1)
    axis.set_yticks(at, [bar["name"] for bar in bars])
    axis.margins(y=0.01)
    axis.invert_yaxis()
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("percent of the ceiling")
    axis.set_xlim(left=0)
    axis.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle(title)
    save(figure, file)


def main():
    figures = json.load(sys.stdin)
    speed(figures["panels"], f"Throughput on {figures['cpu']}", sys.argv[1])
    ceilings(figures["bars"], f"Percent of the ceiling on {figures['cpu']}", sys.argv[2])


if __name__ == "__main__":
    main()
