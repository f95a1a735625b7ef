"""bench.py — xorcore-bench runs every operation and says so in the form that scripts read. Speed is not looked at."""

import argparse
import json
import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PEERS = {"openssl", "libgcrypt", "nettle", "isal", "ipsec-mb", "memcpy", "go-sse2", "gcc-loop"}
CHECKS = {"cliffs", "rows", "misaligned", "parity", "mask", "keys"}
KEYS = {"op", "key", "size", "impl", "kernel", "ns", "gbps", "ceiling"}
OPERATIONS = {
    "xor", "xor-many", "xor-repeat", "gcm-seal", "gcm-open", "gmac", "ctr", "cbc-encrypt", "cbc-decrypt", "cfb-encrypt",
    "cfb-decrypt", "ofb", "xts-encrypt", "xts-decrypt", "cbc-encrypt-rows", "gcm-seal-rows", "key-setup"}


def expect(good, text):
    if not good:
        sys.exit(f"WRONG {text}")
    print(f"ok    {text}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "info", "wrong-peer", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    def run(*arguments, status=0):
        done = subprocess.run([options.program, *map(str, arguments)], text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        expect(done.returncode == status, f"xorcore-bench {' '.join(map(str, arguments))}: exit status {done.returncode}"
                                          f" {done.stderr.strip()[-300:]}")
        return done

    def lines(*arguments):
        return [json.loads(line) for line in run("--json", "--time", "0", *arguments).stdout.splitlines()]

    listed = run("--list").stdout.splitlines()
    names = {line.split()[0] for line in listed if not line.startswith("peer ")}
    expect(names >= OPERATIONS, "--list has every operation")
    peers = {line.split()[1]: "absent" not in line for line in listed if line.startswith("peer ")}

    expect(peers.keys() == PEERS, "--list has every peer, here or not")

    plot = options.work / "plot.svg"
    got = lines("--size", "64", "--key", "256", "--plot", plot)
    expect({line["op"] for line in got} == names, "every operation was run")
    ours = 0
    for line in got:
        mine = line["impl"] == "xorcore"
        ours += mine
        good = (line.keys() == KEYS | ({"vs"} if mine else set())
                and line["ns"] > 0 and math.isfinite(line["gbps"])
                and (line["ceiling"] is None or line["ceiling"] > 0)
                and line["key"] in (0, 256) and line["size"] in (0, 64))
        expect(good, f"{line['op']} {line['impl']}: {line}")
        if mine:
            beside = {other["impl"]: other["ns"] for other in got if other["op"] == line["op"]}
            expect(line["kernel"] and line["vs"].keys() == beside.keys() - {"xorcore"}, "its vs names the peers beside it")
            for peer, ratio in line["vs"].items():
                expect(abs(ratio - beside[peer] / line["ns"]) < 0.02 * ratio + 0.01, f"vs {peer} is peer-time / our-time")
    expect(ours == len(names), "one line of ours for each")
    here = {name for name, present in peers.items() if present}
    expect({line["impl"] for line in got} == here | {"xorcore"}, "every peer that is here was timed")
    svg = ElementTree.parse(plot).getroot()
    panels = svg.findall("{http://www.w3.org/2000/svg}g")
    expect(len(panels) == len(names), "the plot has a panel for each operation")

    got = lines("--op", "xor,gcm-seal", "--size", "16,100", "--key", "128", "--peers", "none")
    expect([(line["op"], line["key"], line["size"], line["impl"]) for line in got]
           == [("xor", 0, 16, "xorcore"), ("xor", 0, 100, "xorcore"), ("gcm-seal", 128, 16, "xorcore"),
               ("gcm-seal", 128, 100, "xorcore")], "--op, --size, --key and --peers choose")
    expect(all(line["vs"] == {} for line in got), "without peers there is no ratio")
    got = lines("--op", "xor,gcm-seal", "--size", "64", "--key", "128", "--kernel", "portable", "--peers", "memcpy")
    expect([line["kernel"] for line in got if line["impl"] == "xorcore"] == ["portable"], "--kernel portable: only xor has it")
    got = lines("--op", "gcm-seal", "--size", "64", "--key", "128", "--kernel", "portable+portable", "--peers", "none")
    expect(got[0]["kernel"] == "portable+portable", "--kernel A+G")

    text = run("--time", "0", "--op", "xor", "--size", "64").stdout
    expect("core clock" in text and "xorcore" in text, "the text begins with the clock")
    done = run("--time", "0", "--op", "xor", "--size", "8", "--peers", "memcpy,isal=no-such-file,other=no-such-file")
    expect("isal is absent" in done.stderr and "other is absent" in done.stderr, "absent peers are named")

    wrong = f"wrong={options.wrong_peer}"
    for op in ("gcm-seal", "gcm-open", "gmac", "ctr", "gcm-seal-rows", "key-setup", "gcm-one-message"):
        done = run("--json", "--time", "0", "--op", op, "--key", "128", "--size", "64", "--peers", wrong, status=1)
        expect(f"{op} 128 {0 if op == 'key-setup' else 64}: wrong computes something else" in done.stderr
               and [json.loads(line)["impl"] for line in done.stdout.splitlines()] == ["xorcore"],
               f"{op}: a peer that computes something else is not timed")

    got = lines("--op", "xts-encrypt,ctr", "--size", "64", "--key", "128", "--peers", "none", "--ceilings")
    probes = [line for line in got if line["impl"] == "ceiling"]
    expect(all(line.keys() == KEYS and line["ns"] > 0 and line["kernel"].endswith(" bits") for line in probes),
           "--ceilings: what and how wide they are")
    for line in got:
        if line["impl"] == "xorcore" and line["ceiling"]:
            own = [probe for probe in probes if probe["op"] == line["op"]]
            kind = own[0]["kernel"].rsplit(", ", 1)[0]
            least = min(probe["ns"] for probe in own if probe["kernel"].startswith(f"{kind}, "))
            expect(abs(line["ceiling"] - least / line["ns"]) < 0.02 * line["ceiling"] + 0.01,
                   "our percentage is of the fastest of the first kind")

    # Those that sweep over sizes take seconds, so one operation each is enough here.
    checks = [json.loads(line) for arguments in (("misaligned,parity,mask,keys",), ("cliffs,rows", "--op", "xor"))
              for line in run("--json", "--check", *arguments).stdout.splitlines()]
    expect({line["check"] for line in checks} == CHECKS, "--check: every check says something")
    for line in checks:
        expect(line.keys() == {"check", "op", "key", "size", "kernel", "value", "limit", "good", "text"}
               and line["op"] in names and math.isfinite(line["value"]), f"{line['check']} {line['op']}: {line}")
        at_least = line["check"] in ("parity", "mask")
        expect(line["good"] == (line["value"] >= line["limit"] if at_least else line["value"] <= line["limit"]),
               "good is what the limit says")
    runs = {row["name"] for row in json.loads(subprocess.run([options.info, "--json"], text=True, capture_output=True,
                                                             check=True).stdout)["kernels"] if row["runs"]}
    expect(all(set(line["kernel"].split("+")) <= runs for line in checks), "the kernels are rows that run here")
    expect("nonsense" in run("--op", "xor,nonsense", status=2).stderr, "an unknown operation is named")
    expect("nonsense" in run("--peers", "nonsense", status=2).stderr, "an unknown peer is named")
    expect("12x" in run("--size", "12x", status=2).stderr, "a size that is none is named")
    expect("openssl" in run("--peers", "openssl,openssl-no-aes", status=2).stderr, "one libcrypto is one CPU's")
    expect("512" in run("--key", "512", status=2).stderr, "a key size that is none is named")
    expect("nothing to measure" in run("--op", "xor", "--kernel", "nonsense", status=2).stderr, "an unknown kernel")


if __name__ == "__main__":
    main()
