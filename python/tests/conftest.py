"""conftest — fixtures: one value for each kind of buffer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from buffers import BUFFERS, WRITABLE


@pytest.fixture(params=BUFFERS)
def buffer(request: pytest.FixtureRequest) -> Callable[[bytes], Any]:
    return BUFFERS[request.param]


@pytest.fixture(params=WRITABLE)
def output(request: pytest.FixtureRequest) -> Callable[[bytes], Any]:
    return WRITABLE[request.param]
