"""_secret — objects that hold a key in C's memory stay where they are."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex


class Secret:
    """The base of key objects and contexts. No pickle carries a key away, and copy.copy() makes no second object over
    the same memory; a context's own copy() does it properly."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        # Pickle and the module copy both end here.
        name = type(self).__name__
        raise TypeError(f"{name!r} objects hold a key: they are neither pickled nor copied")
