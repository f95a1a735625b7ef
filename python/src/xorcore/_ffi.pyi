# _ffi.pyi — the compiled cffi module, whose types are C's.
from typing import Any

ffi: Any
lib: Any
