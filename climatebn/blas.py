"""One BLAS thread for small matrices: with more, waiting threads cost more processor time than the work itself."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

SMALL = 1000  # columns


def few_threads(columns: int) -> AbstractContextManager[Any]:
    """Within it, linear algebra on a matrix of so many columns runs on one thread where that is cheaper."""
    return nullcontext() if columns > SMALL else _controller().limit(limits=1, user_api="blas")


@cache
def _controller() -> Any:
    import scipy.linalg  # noqa: F401 (its own BLAS must be loaded to be found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
