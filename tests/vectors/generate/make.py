"""make.py - writes every file of tests/vectors/data."""

import sys

import aes_aead
import aes_cipher
import aes_gcm
import aes_mac
import xor
from common import DATA

FAMILIES = (xor, aes_gcm, aes_cipher, aes_aead, aes_mac)


def main():
    DATA.mkdir(exist_ok=True)
    for family in FAMILIES:
        for file in family.files():
            text = file.text()
            (DATA / file.name).write_text(text)
            print(f"{file.name}: {file.count} tests, {len(text)} bytes")


if __name__ == "__main__":
    sys.exit(main())
