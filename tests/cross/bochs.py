"""bochs.py — an unchanged static Linux program on a CPU that bochs emulates, from the loader in bochs/.

The emulated machine starts from a disc: isolinux, its multiboot loader mboot.c32, our loader, the program.
Nothing is shown and no port is opened; the output comes through the emulated parallel port into a file."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import setup
from setup import Tool

SOURCES = Path(__file__).resolve().parent / "bochs"
BIOS = Path("/usr/share/bochs/BIOS-bochs-latest")
VGA_BIOS = Path("/usr/share/bochs/VGABIOS-lgpl-latest")
MODULES = Path("/usr/lib/syslinux/modules/bios")
BOOT = [Path("/usr/lib/ISOLINUX/isolinux.bin"), *(MODULES / f"{name}.c32" for name in ("ldlinux", "libcom32", "mboot"))]


def present(*paths):
    """A command that succeeds where all of these are."""
    return ["ls", *map(str, paths)]


TOOLS = [
    Tool("bochs", present("/usr/bin/bochs-bin", BIOS), ["bochs", "bochs-term", "bochsbios"], why="it has AVX-512"),
    Tool("bochs' VGA BIOS", present(VGA_BIOS), ["vgabios"], why="bochs starts with it"),
    Tool("isolinux", present(*BOOT), ["isolinux", "syslinux-common"], why="bochs starts from a disc"),
    Tool("xorriso", ["xorriso", "--version"], ["xorriso"], why="it makes the disc"),
]

CFLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-pic", "-mno-red-zone",
          "-fno-stack-protector", "-mgeneral-regs-only", "-fno-asynchronous-unwind-tables", "-fcf-protection=none"]

MENU = """default program
prompt 0
label program
  kernel mboot.c32
  append /loader.elf {environment} --- /program {arguments}
"""

# `term` draws with curses and needs no terminal. No clock keeps step with the real one.
MACHINE = """cpu: model={model}, count=1, ips=100000000, reset_on_triple_fault=0
memory: guest=512, host=512
romimage: file={bios}
vgaromimage: file={vga_bios}
display_library: term
boot: cdrom
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path=disc.iso, status=inserted
parport1: enabled=1, file=output.txt
sound: waveoutdrv=dummy
speaker: enabled=0
mouse: enabled=0
clock: sync=none
log: log.txt
panic: action=fatal
"""


def build_loader(compiler, where):
    """The loader as a 32-bit ELF file, which is what multiboot takes."""
    where.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in sorted([*SOURCES.glob("*.c"), *SOURCES.glob("*.S")]):
        objects.append(where / f"{source.stem}.o")
        setup.run([compiler, *CFLAGS, "-c", source, "-o", objects[-1]])
    whole, loader = where / "loader64.elf", where / "loader.elf"
    setup.run([compiler, "-nostdlib", "-static", "-no-pie", "-Wl,-n", "-Wl,--build-id=none", "-Wl,-z,noexecstack",
               f"-Wl,-T,{SOURCES / 'loader.ld'}", *objects, "-o", whole])
    setup.run(["objcopy", "-O", "elf32-i386", whole, loader])
    return loader


def run(loader, program, model, where, arguments=(), environment=None, limit_s=600):
    """Runs the program on bochs' `model`; (exit status, output). Without one, why there is none is in the output."""
    shutil.rmtree(where, ignore_errors=True)
    disc = where / "disc"
    (disc / "isolinux").mkdir(parents=True)
    for file in BOOT:
        shutil.copy(file, disc / "isolinux")
    shutil.copy(loader, disc / "loader.elf")
    shutil.copy(program, disc / "program")
    words = " ".join(f"{name}={value}" for name, value in (environment or {}).items())
    (disc / "isolinux/isolinux.cfg").write_text(MENU.format(environment=words, arguments=" ".join(arguments)))
    (where / "bochsrc").write_text(MACHINE.format(model=model, bios=BIOS, vga_bios=VGA_BIOS))
    (where / "commands").write_text("c\n")  # Debian's bochs has its debugger built in: continue
    quiet = dict(cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    made = subprocess.run(
        ["xorriso", "-as", "mkisofs", "-quiet", "-o", "disc.iso", "-b", "isolinux/isolinux.bin", "-c",
         "isolinux/boot.cat", "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table", "disc"], **quiet)
    if made.returncode != 0:
        return None, made.stdout.decode(errors="replace")
    try:
        stopped = subprocess.run(
            ["bochs-bin", "-q", "-rc", "commands", "-f", "bochsrc"], timeout=limit_s,
            env=setup.environment(BXSHARE="/usr/share/bochs", TERM="vt100", HOME=os.fspath(where)), **quiet).stdout
    except subprocess.TimeoutExpired:
        stopped = f"stopped after {limit_s} s".encode()
    output = where / "output.txt"
    text = output.read_bytes().decode(errors="replace") if output.exists() else ""
    match = re.search(r"^loader: exit status (\d+)\s*\Z", text, re.MULTILINE)
    if match:
        (where / "disc.iso").unlink()
        shutil.rmtree(disc)
        return int(match[1]), text
    return None, f"{text}\n{stopped.decode(errors='replace')[-2000:]}"
