"""test_xorcore_ctypes — prototypes against the record and the symbols, calls against OpenSSL."""

import contextlib
import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM as Reference

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python/tests")]

import reference  # noqa: E402
from buffers import BUFFERS  # noqa: E402
import xorcore_ctypes as xc  # noqa: E402

RECORD = json.loads((HERE.parent / "xorcore.abi.json").read_text())
SCALARS = {
    "int": ctypes.c_int,
    "size_t": ctypes.c_size_t,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "const char *": ctypes.c_char_p,
    "void": None,
}


def as_ctypes(c_type):
    """The ctypes type that a C type of the record must have."""
    c_type = re.sub(r"\s*\*\s*", " *", c_type).replace("* *", "**").strip()
    if c_type in SCALARS:
        return SCALARS[c_type]
    bare = c_type.replace("const", "").replace(" ", "")
    name, stars = bare.rstrip("*"), bare.count("*")
    if stars == 2:
        return ctypes.POINTER(ctypes.c_void_p)
    if stars == 1 and RECORD["types"].get(name, {}).get("fields"):
        return ctypes.POINTER(getattr(xc, name))
    assert stars == 1, c_type
    return ctypes.c_void_p


def test_struct_layouts():
    width = str(8 * ctypes.sizeof(ctypes.c_void_p))
    for name, entry in RECORD["types"].items():
        if "fields" not in entry:
            continue
        mine = getattr(xc, name)
        assert ctypes.sizeof(mine) == entry["size"][width]
        assert [field[0] for field in mine._fields_] == [field["name"] for field in entry["fields"]]
        for (field, kind), recorded in zip(mine._fields_, entry["fields"]):
            assert getattr(mine, field).offset == recorded["offset"][width]
            assert kind is as_ctypes(recorded["type"])


def library_file():
    """The file that is loaded, from the process's own map."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        if "/libxorcore.so" in line:
            return line.split()[-1]
    raise AssertionError("no libxorcore is mapped")


# ---- prototypes --------------------------------------------------------------------------------------


def test_every_function_has_a_prototype():
    assert set(xc.PROTOTYPES) == set(RECORD["functions"])


@pytest.mark.parametrize("name", RECORD["functions"])
def test_prototype(name):
    restype, argtypes = xc.PROTOTYPES[name]
    recorded = RECORD["functions"][name]
    assert restype is as_ctypes(recorded["result"])
    assert argtypes == [as_ctypes(argument["type"]) for argument in recorded["arguments"]]
    function = getattr(xc.lib, name)
    assert function.restype is restype
    assert list(function.argtypes) == argtypes


def test_constants():
    recorded = {name: entry["value"] for enum in RECORD["enums"] for name, entry in enum.items()}
    mine = {name: value for name, value in vars(xc).items() if name.startswith("XORCORE_")}
    assert mine == recorded


def test_same_symbols_as_the_library():
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", library_file()], check=True, capture_output=True, text=True
    ).stdout
    exported = {
        line.split()[2].split("@")[0] for line in shown.splitlines() if line.split()[1] == "T"
    }
    assert exported == set(xc.PROTOTYPES)


def test_version_and_abi():
    assert re.fullmatch(r"\d+\.\d+\.\d+", xc.version())
    assert xc.lib.xorcore_abi() == xc.ABI


# ---- finding the library -----------------------------------------------------------------------------


def run(script, **environment):
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=HERE,
        env={**os.environ, **environment},
        check=False,
    )


def test_named_library():
    done = run(
        "import xorcore_ctypes; print(xorcore_ctypes.lib._name)", XORCORE_LIBRARY=library_file()
    )
    assert done.stdout.strip() == library_file(), done.stderr


def test_named_library_that_is_not_there():
    done = run("import xorcore_ctypes", XORCORE_LIBRARY="/nonexistent/libxorcore.so.1")
    assert done.returncode != 0
    assert "ImportError" in done.stderr
    assert "/nonexistent/libxorcore.so.1" in done.stderr


def test_another_library_is_refused():
    done = run("import xorcore_ctypes", XORCORE_LIBRARY="libc.so.6")
    assert done.returncode != 0
    assert "too old" in done.stderr


def test_another_abi_is_refused(monkeypatch):
    monkeypatch.setattr(xc, "ABI", 2)
    with pytest.raises(ImportError, match="has ABI 1"):
        xc.load(library_file())


# ---- calls -------------------------------------------------------------------------------------------


def running(family):
    return [row["name"] for row in xc.kernels() if row["family"] == family and row["runs"]]


@pytest.mark.parametrize("kernel", [None, *running("xor")])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100, 4097])
def test_xor(size, kernel):
    a, b, c = (bytes(os.urandom(size)) for _ in range(3))
    expected = bytes(x ^ y for x, y in zip(a, b))
    assert xc.xor(a, b, kernel=kernel) == expected
    out = bytearray(a)
    assert xc.xor(out, memoryview(b), out=out, kernel=kernel) is out
    assert out == expected
    parity = xc.xor_many([a, bytearray(b), memoryview(c)], kernel=kernel)
    assert parity == bytes(x ^ y ^ z for x, y, z in zip(a, b, c))
    assert xc.xor_many([parity, b, c], kernel=kernel) == a
    masked = xc.xor_repeat(a, b"key", phase=2, kernel=kernel)
    assert masked == bytes(x ^ b"key"[(2 + i) % 3] for i, x in enumerate(a))
    assert xc.equal(a, bytearray(a)) is True
    assert xc.equal(a, a + b"x") is False
    assert size == 0 or xc.equal(a, bytes([a[0] ^ 1]) + a[1:]) is False


@pytest.mark.parametrize(
    "wrap",
    [bytes, bytearray, lambda data: memoryview(data), lambda data: memoryview(bytearray(data))],
)
@pytest.mark.parametrize("size", [0, 1, 16, 1000])
def test_gcm(size, wrap):
    key, nonce, data, aad = os.urandom(32), os.urandom(12), os.urandom(size), os.urandom(20)
    sealed = Reference(key).encrypt(nonce, data, aad)
    aead = xc.AESGCM(wrap(key))
    assert aead.encrypt(wrap(nonce), wrap(data), wrap(aad)) == sealed
    assert aead.decrypt(wrap(nonce), wrap(sealed), wrap(aad)) == data
    room = bytearray(data) + bytes(16)
    assert aead.encrypt_into(nonce, memoryview(room)[:size], aad, room) == size + 16
    assert room == sealed
    assert aead.decrypt_into(nonce, room, aad, memoryview(room)[:size]) == size
    assert room[:size] == data
    broken = bytearray(sealed)
    broken[-1] ^= 1
    text = bytearray(b"\xa5" * size)
    with pytest.raises(xc.InvalidTag):
        aead.decrypt_into(nonce, wrap(broken), aad, text)
    assert text == bytes(size)


AEADS = {
    "AESGCM": (xc.AESGCM, 16, 12),
    "AESCCM": (xc.AESCCM, 24, 12),
    "AESGCMSIV": (xc.AESGCMSIV, 32, 12),
    "XAES256GCM": (xc.XAES256GCM, 32, 24),
}


@pytest.mark.parametrize("name", AEADS)
def test_aead(name):
    make, key_size, nonce_size = AEADS[name]
    key = os.urandom(key_size)
    aead = make(key)
    assert make(key, kernel=aead.kernel).kernel == aead.kernel
    datas = [os.urandom(size) for size in (0, 1, 16, 100, 1000)]
    nonces = [os.urandom(nonce_size) for _ in datas]
    aads = [os.urandom(size) for size in range(len(datas))]
    sealed = [reference.seal(name, key, *one) for one in zip(nonces, datas, aads)]
    assert [aead.encrypt(*one) for one in zip(nonces, datas, aads)] == sealed
    assert [aead.decrypt(*one) for one in zip(nonces, sealed, aads)] == datas
    assert aead.encrypt_rows(nonces, datas, aads) == sealed
    assert aead.decrypt_rows(nonces, sealed, aads) == datas
    broken = [sealed[0], b"short", sealed[2], bytes(116), sealed[4]]
    assert aead.decrypt_rows(nonces, broken, aads) == [datas[0], None, datas[2], None, datas[4]]
    assert aead.encrypt_rows([], []) == []
    if name == "AESGCMSIV":
        for begin in (aead.encryptor, aead.decryptor, aead.decryptor_unverified):
            with pytest.raises(xc.UnsupportedError):
                begin(nonces[0])
        return
    data, nonce, aad = datas[4], nonces[4], aads[4]
    lengths = (len(aad), len(data))
    encryptor = aead.encryptor(nonce, *lengths)
    for _ in range(2):
        encryptor.authenticate_additional_data(aad)
        text = encryptor.update(data[:333]) + encryptor.update(bytearray(data[333:]))
        assert text + encryptor.finalize() == sealed[4]
        encryptor.reset(nonce, *lengths)
    with pytest.raises(xc.UnsupportedError):
        encryptor.copy()
    for begin, expected in ((aead.decryptor, None), (aead.decryptor_unverified, data)):
        decryptor = begin(nonce, *lengths)
        decryptor.authenticate_additional_data(aad)
        assert decryptor.update(text) == expected
        other = decryptor.copy()
        decryptor.finalize_with_tag(sealed[4][-16:])
        with pytest.raises(xc.InvalidTag):
            other.finalize_with_tag(bytes(16))
        with pytest.raises(xc.XorcoreError) as caught:
            other.update(b"more")
        assert caught.value.result == "STATE"


@pytest.mark.parametrize("algorithm", xc.CIPHERS)
def test_cipher(algorithm):
    key = os.urandom(32)
    iv = None if algorithm == "AES-ECB" else os.urandom(16)
    data = os.urandom(160)
    expected = reference.encrypt(algorithm, key, iv or b"", data)
    cipher = xc.cipher(algorithm, key, iv)
    assert cipher.kernel == xc.cipher(algorithm, key, kernel=cipher.kernel).kernel
    assert cipher.encrypt(data) == expected
    assert cipher.decrypt(memoryview(expected)) == data
    room = bytearray(data)
    assert cipher.encrypt_into(room, room) == len(data)
    assert room == expected
    assert cipher.decrypt_into(room, room) == len(data)
    assert room == data
    ivs = None if iv is None else [iv] * 3
    assert cipher.encrypt_rows(ivs, [data] * 3) == [expected] * 3
    assert cipher.decrypt_rows(ivs, [expected] * 3) == [data] * 3
    if algorithm == "AES-XTS":
        with pytest.raises(xc.UnsupportedError):
            cipher.encryptor()
        return
    stream = cipher.encryptor()
    assert stream.update(data[:48]) == expected[:48]
    if iv is not None:
        assert cipher.encrypt(data[48:], iv=stream.next_iv) == expected[48:]
    other = stream.copy()
    assert stream.update(data[48:]) == other.update(data[48:]) == expected[48:]
    decryptor = cipher.decryptor()
    assert decryptor.update_into(room[:0] + expected, room) == len(data)
    assert room == data
    decryptor.reset(iv or b"")
    assert decryptor.update(expected) == data


def test_ctr_positions():
    cipher = xc.cipher("AES-CTR", bytes(16), bytes(16))
    whole = cipher.encrypt(bytes(100))
    assert cipher.ctr_at(33, bytes(67)) == whole[33:]
    stream = cipher.encryptor()
    stream.seek(50)
    assert stream.update(bytes(50)) == whole[50:]
    for position in (-1, 2**64):
        with pytest.raises(OverflowError):
            stream.seek(position)
        with pytest.raises(OverflowError):
            cipher.ctr_at(position, b"")
    with pytest.raises(OverflowError):
        cipher.ctr_at(2**64 - 1, b"ab")


def test_xts():
    key = os.urandom(64)
    xts = xc.AESXTS(key)
    data = os.urandom(1024)
    halves = [
        reference.encrypt("AES-XTS", key, (7 + at).to_bytes(16, "little"), data[512 * at :][:512])
        for at in range(2)
    ]
    assert [xts.encrypt(7, data[:512]), xts.encrypt(8, data[512:])] == halves
    assert xts.decrypt(halves[0][:0] + (7).to_bytes(16, "little"), halves[0]) == data[:512]
    assert xts.encrypt_sectors(data, 7, 512) == b"".join(halves)
    room = bytearray(data)
    assert xts.encrypt_sectors(room, 7, 512, out=room) is room
    assert xts.decrypt_sectors(room, 7, 512) == data


def test_mac():
    key, datas = os.urandom(16), [os.urandom(size) for size in (0, 1, 16, 100)]
    nonces = [os.urandom(12) for _ in datas]
    gmac, cmac = xc.GMAC(key), xc.CMAC(key, 8)
    tags = [reference.gmac(key, *one) for one in zip(nonces, datas)]
    short = [reference.cmac(key, data)[:8] for data in datas]
    assert gmac.compute_rows(nonces, datas) == tags
    assert cmac.compute_rows(datas) == short
    assert gmac.verify_rows(nonces, datas, tags) == [True] * 4
    assert cmac.verify_rows(datas, [short[0], bytes(8), short[2][:7], short[3]]) == [
        *(True, False, False, True)
    ]
    for change in (lambda tag: tag[:-1], lambda tag: tag + b"\0", lambda tag: b""):
        assert cmac.verify_rows(datas, map(change, short)) == [False] * 4
    for nonce, data, tag, tag8 in zip(nonces, datas, tags, short):
        assert gmac.compute(nonce, data) == tag
        gmac.verify(nonce, data, tag)
        assert cmac.compute(data) == tag8
        cmac.verify(data, tag8)
        for stream, right in ((gmac.stream(nonce), tag), (cmac.stream(), tag8)):
            stream.update(data[:5])
            stream.update(data[5:])
            other = stream.copy()
            assert stream.finalize() == right
            other.verify(right)
    with pytest.raises(xc.InvalidTag):
        gmac.verify(nonces[0], datas[0], bytes(16))
    with pytest.raises(xc.InvalidTag):
        cmac.verify(datas[0], short[0][:4])


def test_a_stream_keeps_its_key():
    stream = xc.cipher("AES-CTR", bytes(16), bytes(16)).encryptor()
    expected = xc.cipher("AES-CTR", bytes(16), bytes(16)).encrypt(b"text")
    assert stream.update(b"text") == expected


def test_kernel_of_an_object():
    for name in running("gcm"):
        told = xc.AESGCM(bytes(16), kernel=name).kernel
        assert xc.AESGCM(bytes(16), kernel=told).kernel == told


def test_selftest_and_cpu():
    xc.selftest()
    assert xc.cpu()


KEY = bytes(16)
AEAD = xc.AESGCM(KEY)
SHARED = memoryview(bytearray(200))
ERRORS = {
    "no source": ("ARG", lambda: xc.xor_many([])),
    "no source into": ("ARG", lambda: xc.xor_into(bytearray(4))),
    "lengths": ("DATA_LENGTH", lambda: xc.xor(b"abc", b"ab")),
    "out length": ("DATA_LENGTH", lambda: xc.xor(b"abc", b"abc", out=bytearray(2))),
    "repeating key": ("KEY_LENGTH", lambda: xc.xor_repeat(b"abc", b"")),
    "xor kernel": ("KERNEL", lambda: xc.xor(b"a", b"a", kernel="none")),
    "xor kernel with NUL": ("KERNEL", lambda: xc.xor(b"a", b"a", kernel="portable\0")),
    "algorithm": ("ARG", lambda: xc.AEAD(7, bytes(16))),
    "key": ("KEY_LENGTH", lambda: xc.AESGCM(bytes(15))),
    "tag": ("TAG_LENGTH", lambda: xc.AESGCM(bytes(16), 3)),
    "huge tag": ("TAG_LENGTH", lambda: xc.AESGCM(bytes(16), 2**64 + 16)),
    "kernel": ("KERNEL", lambda: xc.AESGCM(bytes(16), kernel="none")),
    "nonce": ("NONCE_LENGTH", lambda: AEAD.encrypt(b"", b"text")),
    "nonce open": ("NONCE_LENGTH", lambda: AEAD.decrypt(b"", b"")),
    "short": ("AUTH", lambda: AEAD.decrypt(bytes(12), b"short")),
    "tag wrong": ("AUTH", lambda: AEAD.decrypt(bytes(12), bytes(20))),
    "no such cipher": ("ARG", lambda: xc.cipher("AES-EAX", bytes(16))),
    "cipher key": ("KEY_LENGTH", lambda: xc.cipher("AES-CTR", bytes(15))),
    "cipher kernel": ("KERNEL", lambda: xc.cipher("AES-CTR", bytes(16), kernel="none")),
    "weak key": ("WEAK_KEY", lambda: xc.AESXTS(bytes(32))),
    "no iv": ("NONCE_LENGTH", lambda: xc.cipher("AES-CTR", bytes(16)).encrypt(b"text")),
    "iv": ("NONCE_LENGTH", lambda: xc.cipher("AES-CTR", bytes(16), bytes(12))),
    "ecb iv": ("NONCE_LENGTH", lambda: xc.cipher("AES-ECB", bytes(16), bytes(16))),
    "cbc": ("DATA_LENGTH", lambda: xc.cipher("AES-CBC", bytes(16), bytes(16)).encrypt(b"text")),
    "sectors": (
        "DATA_LENGTH",
        lambda: xc.AESXTS(bytes(range(32))).encrypt_sectors(bytes(40), 0, 16),
    ),
    "xts limit": ("LIMIT", lambda: xc.AESXTS(bytes(range(32))).encrypt(0, bytes(2**24 + 1))),
    "ctr_at": ("UNSUPPORTED", lambda: xc.cipher("AES-OFB", bytes(16), bytes(16)).ctr_at(0, b"")),
    "seek": (
        "UNSUPPORTED",
        lambda: xc.cipher("AES-OFB", bytes(16), bytes(16)).encryptor().seek(0),
    ),
    "ccm order": ("STATE", lambda: xc.AESCCM(bytes(16)).encryptor(bytes(12)).update(b"text")),
    "ccm lengths": ("ARG", lambda: xc.AESCCM(bytes(16)).encryptor(bytes(12), length=4)),
    "mac tag": ("TAG_LENGTH", lambda: xc.CMAC(bytes(16), 3)),
    "gmac nonce": ("NONCE_LENGTH", lambda: xc.GMAC(bytes(16)).compute(b"", b"data")),
    "rows nonces": ("ARG", lambda: AEAD.encrypt_rows([bytes(12)], [b"a", b"b"])),
    "rows nonces differ": ("NONCE_LENGTH", lambda: AEAD.encrypt_rows([b"a", b"bc"], [b"", b""])),
    "rows nonce": ("NONCE_LENGTH", lambda: AEAD.encrypt_rows([b"", b""], [b"a", b"b"])),
    "overlap": ("OVERLAP", lambda: xc.xor(SHARED[:50], SHARED[:50], out=SHARED[1:51])),
    "many overlap": ("OVERLAP", lambda: xc.xor_into(SHARED[1:51], SHARED[:50])),
    "seal overlap": (
        "OVERLAP",
        lambda: AEAD.encrypt_into(bytes(12), SHARED[1:51], None, SHARED[:66]),
    ),
    "open overlap": (
        "OVERLAP",
        lambda: AEAD.decrypt_into(bytes(12), SHARED[:66], None, SHARED[1:51]),
    ),
    "tag overlap": (
        "OVERLAP",
        lambda: AEAD.decrypt_into(bytes(12), SHARED[:66], None, SHARED[60:110]),
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(name):
    result, call = ERRORS[name]
    with pytest.raises(xc.ERRORS[result]) as caught:
        call()
    assert caught.value.result == result
    assert bytes(SHARED) == bytes(200)


@pytest.mark.parametrize("wrong", ["text", 5, None, object()])
def test_no_buffer(wrong):
    for call in (
        lambda: xc.xor(wrong, b"a"),
        lambda: xc.xor_many([wrong]),
        lambda: xc.xor_into(wrong, b"a"),
        lambda: xc.xor_repeat(b"a", wrong),
        lambda: xc.equal(b"a", wrong),
        lambda: xc.AESGCM(wrong),
        lambda: AEAD.encrypt(wrong, b"a"),
        lambda: AEAD.encrypt(bytes(12), wrong),
        lambda: AEAD.decrypt(bytes(12), wrong),
        lambda: AEAD.encrypt_into(bytes(12), b"", None, wrong),
        lambda: AEAD.encrypt_rows([wrong], [b"a"]),
        lambda: AEAD.encrypt_rows([bytes(12)], [wrong]),
        lambda: AEAD.encryptor(wrong),
        lambda: AEAD.encryptor(bytes(12)).update(wrong),
        lambda: xc.cipher("AES-CTR", wrong),
        lambda: xc.cipher("AES-CTR", bytes(16), bytes(16)).encrypt(wrong),
        lambda: xc.CMAC(bytes(16)).compute(wrong),
        lambda: xc.CMAC(bytes(16)).verify(b"", wrong),
    ):
        with pytest.raises(TypeError, match="bytes-like"):
            call()


def test_read_only_outputs():
    for out in (bytes(16), memoryview(bytes(16))):
        for call in (
            lambda: xc.xor(bytes(16), bytes(16), out=out),
            lambda: xc.xor_into(out, bytes(16)),
            lambda: xc.xor_repeat(bytes(16), b"k", out=out),
            lambda: AEAD.encrypt_into(bytes(12), b"", None, out),
            lambda: AEAD.decrypt_into(bytes(12), bytes(32), None, out),
            lambda: xc.cipher("AES-CTR", bytes(16), bytes(16)).encrypt_into(bytes(16), out),
            lambda: xc.AESXTS(bytes(range(32))).encrypt_into(0, bytes(16), out),
            lambda: AEAD.encryptor(bytes(12)).update_into(bytes(16), out),
        ):
            with pytest.raises(BufferError, match="writable"):
                call()
        assert bytes(out) == bytes(16)


@pytest.mark.parametrize("kind", BUFFERS)
def test_every_kind_of_input(kind):
    wrap = BUFFERS[kind]
    key, nonce, iv = bytes(range(32)), bytes(12), bytes(16)
    for size in (0, 1, 16, 100):
        data = os.urandom(size)
        assert xc.xor(wrap(data), wrap(bytes(size))) == data
        assert xc.xor_many([wrap(data)] * 3) == data
        assert xc.xor_repeat(wrap(data), wrap(bytes(3))) == data
        assert xc.equal(wrap(data), wrap(data)) is True
        sealed = reference.seal("AESGCM", key, nonce, data, iv)
        aead = xc.AESGCM(wrap(key))
        assert aead.encrypt(wrap(nonce), wrap(data), wrap(iv)) == sealed
        assert aead.decrypt(wrap(nonce), wrap(sealed), wrap(iv)) == data
        assert aead.encrypt_rows([wrap(nonce)], [wrap(data)], [wrap(iv)]) == [sealed]
        stream = aead.decryptor_unverified(wrap(nonce))
        stream.authenticate_additional_data(wrap(iv))
        assert stream.update(wrap(sealed[:size])) == data
        stream.finalize_with_tag(wrap(sealed[size:]))
        expected = reference.encrypt("AES-CTR", key, iv, data)
        assert xc.cipher("AES-CTR", wrap(key), wrap(iv)).encrypt(wrap(data)) == expected
        assert xc.CMAC(wrap(key)).compute(wrap(data)) == reference.cmac(key, data)
        xc.GMAC(key).verify(wrap(nonce), wrap(data), wrap(reference.gmac(key, nonce, data)))


def test_strided_views():
    with pytest.raises(BufferError, match="contiguous"):
        xc.xor(memoryview(bytes(8))[::2], bytes(4))
    with pytest.raises(BufferError, match="contiguous"):
        xc.xor(bytes(4), bytes(4), out=memoryview(bytearray(8))[::2])


def test_buffers_are_given_back():
    data, out = bytearray(20), bytearray(4)
    try:
        AEAD.decrypt_into(bytes(12), data, None, out)
    except xc.InvalidTag:
        data.append(0)
        out.append(0)
    try:
        AEAD.encrypt_into(bytes(12), data, None, out)
    except ValueError:
        data.append(0)
        out.append(0)
    try:
        xc.xor_into(bytes(len(data)), data)
    except BufferError:
        data.append(0)
    try:
        AEAD.encrypt_into("text", data, None, bytearray(len(data) + 16))
    except TypeError:
        data.append(0)


def test_phase_out_of_range():
    for phase in (-1, 2**64):
        with pytest.raises(OverflowError):
            xc.xor_repeat(b"a", b"k", phase=phase)


def test_results():
    assert {name.removeprefix("XORCORE_E_") for name in vars(xc) if "XORCORE_E_" in name} == set(
        xc.ERRORS
    )
    assert xc.check(0) is None
    with pytest.raises(xc.XorcoreError):
        xc.check(-99)


def test_results_are_bytes():
    """As the package's are; `out` is given back when there was one."""
    data, iv = bytes(32), bytes(16)
    cbc, xts = xc.cipher("AES-CBC", KEY, iv), xc.AESXTS(bytes(range(32)))
    ctr, sealed = xc.cipher("AES-CTR", KEY, iv), AEAD.encrypt(iv[:12], data)
    results = {
        "xor": xc.xor(data, data),
        "xor_many": xc.xor_many([data, data]),
        "xor_repeat": xc.xor_repeat(data, b"key"),
        "encrypt": sealed,
        "decrypt": AEAD.decrypt(iv[:12], sealed),
        "aead rows": AEAD.encrypt_rows([iv[:12]], [data])[0],
        "aead rows back": AEAD.decrypt_rows([iv[:12]], [sealed])[0],
        "aead piece": AEAD.encryptor(iv[:12]).update(data),
        "cipher": cbc.encrypt(data),
        "cipher back": cbc.decrypt(data),
        "cipher rows": cbc.encrypt_rows([iv], [data])[0],
        "cipher piece": cbc.encryptor().update(data),
        "ctr_at": ctr.ctr_at(5, data),
        "xts": xts.encrypt(0, data),
        "xts back": xts.decrypt(0, data),
        "sectors": xts.encrypt_sectors(data, 0, 16),
        "sectors back": xts.decrypt_sectors(data, 0, 16),
        "tag": xc.CMAC(KEY).compute(data),
        "tag rows": xc.CMAC(KEY).compute_rows([data])[0],
    }
    assert {name: type(result) for name, result in results.items()} == dict.fromkeys(results, bytes)
    out = bytearray(32)
    for given in (
        xc.xor(data, data, out=out),
        xc.xor_many([data, data], out=out),
        xc.xor_repeat(data, b"key", out=out),
        xts.encrypt_sectors(data, 0, 16, out=out),
    ):
        assert given is out


class Watched:
    """The library, with a look at each call: a buffer is as long as the next length among the arguments says. (What is
    larger than any here is an address.)"""

    def __init__(self, lib):
        self.lib = lib

    def __getattr__(self, name):
        function = getattr(self.lib, name)

        def call(*arguments):
            for at, given in enumerate(arguments):
                if isinstance(given, bytes | ctypes.Array) and not hasattr(given, "contents"):
                    sizes = [
                        each for each in arguments[at + 1 :] if type(each) is int and each < 1 << 20
                    ]
                    assert not sizes or name.endswith("_new") or sizes[0] <= len(given), (name, at)
            return function(*arguments)

        return call


def changing(module, step, change):
    """A profiler that calls `change` when the step-th function of the module returns, as another thread might."""
    count = 0

    def profile(frame, event, _):
        nonlocal count
        if event == "return" and frame.f_code.co_filename == module.__file__:
            count += 1
            if count == step:
                with contextlib.suppress(BufferError):
                    change()

    return profile


@pytest.mark.parametrize("grow", [True, False])
@pytest.mark.parametrize(
    "call",
    [
        lambda data, out: xc.xor_into(out[:64], data, bytes(64)),
        lambda data, out: xc.xor_into(out[:64], bytes(64), data),
        lambda data, out: xc.xor(data, bytes(64), out[:64]),
        lambda data, out: xc.xor(bytes(64), data, out[:64]),
        lambda data, out: xc.xor_repeat(data, b"key", 0, out[:64]),
        lambda data, out: xc.xor_repeat(bytes(64), data, 0, out[:64]),
        lambda data, out: xc.equal(data, bytes(64)),
        lambda data, out: xc.equal(bytes(64), data),
        lambda data, out: xc.AESGCM(bytes(16)).encrypt_into(bytes(12), data, None, out[:80]),
        lambda data, out: xc.AESGCM(bytes(16)).encrypt_into(bytes(12), b"", data, out[:16]),
        lambda data, out: xc.AESGCM(bytes(16)).encrypt_into(data, b"", None, out[:16]),
        lambda data, out: xc.AESGCM(bytes(16)).decrypt_into(bytes(12), data, None, out[:48]),
        lambda data, out: xc.cipher("AES-CTR", bytes(16), bytes(16)).encrypt_into(data, out[:64]),
        lambda data, out: xc.cipher("AES-CTR", bytes(16), bytes(16)).ctr_at_into(5, data, out[:64]),
        lambda data, out: (
            xc.cipher("AES-CTR", bytes(16), bytes(16)).encryptor().update_into(data, out[:64])
        ),
        lambda data, out: xc.AESXTS(bytes(range(32))).encrypt_into(0, data, out[:64]),
        lambda data, out: xc.AESXTS(bytes(range(32))).decrypt_into(0, data, out[:64]),
        lambda data, out: xc.AESXTS(bytes(range(32))).encrypt_sectors(data, 0, 16, out[:64]),
        lambda data, out: xc.CMAC(bytes(16)).compute(data),
        lambda data, out: xc.GMAC(bytes(16)).compute(data, b"text"),
    ],
)
def test_lengths_that_change_meanwhile(monkeypatch, call, grow):
    """Between two looks at a buffer another thread may give it another length: an error or the right result, and not
    a byte of memory that is somebody else's."""
    monkeypatch.setattr(xc, "lib", Watched(xc.lib))
    for step in range(1, 60):
        data, memory = bytearray(range(64)), bytearray(b"\xa5" * 9000)

        def change(data=data):
            data[64 if grow else 16 :] = bytes(5000 if grow else 0)

        sys.setprofile(changing(xc, step, change))
        try:
            call(data, memoryview(memory))
        except (ValueError, xc.InvalidTag):
            pass
        finally:
            sys.setprofile(None)
        assert memory[80:] == b"\xa5" * 8920, step
