"""test_mac — GMAC and CMAC against OpenSSL."""

from __future__ import annotations

import os

import pytest

import reference
import xorcore
from buffers import running

GCM_KERNELS = [
    None,
    *running("gcm"),
    *(f"{aes}+{ghash}" for aes in running("aes") for ghash in running("ghash")),
]
SIZES = [0, 1, 15, 16, 17, 64, 100, 1000, 5000]


@pytest.mark.parametrize("kernel", GCM_KERNELS)
@pytest.mark.parametrize("key_size", [16, 24, 32])
def test_gmac(key_size: int, kernel: str | None) -> None:
    key = os.urandom(key_size)
    mac = xorcore.GMAC(key, kernel=kernel)
    assert xorcore.GMAC(key, kernel=mac.kernel).kernel == mac.kernel
    assert mac.kernel in repr(mac)
    for size in SIZES:
        nonce, data = os.urandom(12), os.urandom(size)
        tag = reference.gmac(key, nonce, data)
        assert mac.compute(nonce, data) == tag
        mac.verify(nonce, bytearray(data), bytearray(tag))
        short = xorcore.GMAC(key, 12, kernel=kernel)
        assert short.tag_length == 12
        assert short.compute(nonce, data) == tag[:12]
        short.verify(nonce, data, tag[:12])
        for call in (
            lambda: mac.verify(nonce, data, tag[:12]),
            lambda: mac.verify(nonce, data, b""),
            lambda: mac.verify(nonce, data + b"x", tag),
            lambda: mac.verify(bytes(12), data, tag),
        ):
            with pytest.raises(xorcore.InvalidTag):
                call()


@pytest.mark.parametrize("kernel", [None, *running("aes")])
@pytest.mark.parametrize("key_size", [16, 24, 32])
def test_cmac(key_size: int, kernel: str | None) -> None:
    key = os.urandom(key_size)
    mac = xorcore.CMAC(key, kernel=kernel)
    assert mac.kernel == kernel or kernel is None
    for size in SIZES:
        data = os.urandom(size)
        tag = reference.cmac(key, data)
        assert mac.compute(data) == tag
        mac.verify(memoryview(data), tag)
        for tag_size in range(4, 17):
            assert (
                xorcore.CMAC(key, tag_length=tag_size, kernel=kernel).compute(data)
                == tag[:tag_size]
            )
        for call in (
            lambda: mac.verify(data, tag[:15]),
            lambda: mac.verify(data + b"x", tag),
            lambda: mac.verify(data, bytes(16)),
        ):
            with pytest.raises(xorcore.InvalidTag):
                call()
