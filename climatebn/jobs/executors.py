"""Where cells run: in this process, in a pool of processes, or on a Dask cluster; all through one interface.

That is `concurrent.futures.Executor`; ``slots`` tells how many cells are worth handing over at a time. Every worker
computes on one thread, so that cells do not compete for cores and give the same bits everywhere.
"""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from climatebn.errors import ClimateBNError, whole

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA")
MOST_WORKERS = 1024
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}


@contextmanager
def open_executor(workers: int = 1, scheduler: str | None = None) -> Iterator[Executor]:
    """The executor for a number of local processes (1: this process), or for the Dask scheduler at an address.

    Parameters
    ----------
    workers : number of processes.
    scheduler : address of a Dask scheduler, e.g. "tcp://10.0.0.1:8786".

    Returns
    -------
    a context manager that gives an `Executor` and shuts it down.

    Raises
    ------
    ClimateBNError where ``workers`` is below 1, or no scheduler answers.

    Examples
    --------
    >>> with open_executor() as executor:
    ...     executor.submit(pow, 2, 10).result()
    1024
    """
    if whole("workers", workers, least=None) < 1:
        raise ClimateBNError(f"workers must be 1 or more; got {workers}")
    whole("workers", workers, 1, MOST_WORKERS)
    executor = DaskWorkers(scheduler) if scheduler else Processes(workers) if workers > 1 else InProcess()
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def slots(executor: Executor) -> int:
    """How many cells to hand over at a time; also for executors that are not ours."""
    own = getattr(executor, "slots", None) or getattr(executor, "_max_workers", None)
    return max(1, own or os.cpu_count() or 1)


def worker_lost(error: BaseException) -> bool:
    """Whether the worker died rather than the cell failed: the cell deserves another worker."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker"


class InProcess(Executor):
    """Runs each call at once, in this process."""

    slots = 1

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(Executor):
    """One pool for each worker process, so that a process that is killed costs only its own cell.

    Processes are started afresh ("spawn"), on one thread each; they leave Ctrl-C to the parent and end when it dies.
    """

    def __init__(self, workers: int) -> None:
        self.slots = workers
        self._closed = False
        self._all = {self._pool() for _ in range(workers)}
        self._busy: set[ProcessPoolExecutor] = set()
        self._idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        for pool in self._all:
            self._idle.put(pool)

    def _pool(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=spawn, initializer=_become_worker)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        pool = self._idle.get()  # waits while all are at work
        self._busy.add(pool)
        with _quiet_start(), _without_script(pool, (function, args, kwargs)):  # it starts with its first call
            future = pool.submit(function, *args, **kwargs)
        future.add_done_callback(lambda done: self._release(pool, done))
        return future

    def _release(self, pool: ProcessPoolExecutor, done: Future[Any]) -> None:
        self._busy.discard(pool)
        if not self._closed and not done.cancelled() and isinstance(done.exception(), BrokenExecutor):
            self._all.discard(pool)
            pool.shutdown(wait=False)
            pool = self._pool()
            self._all.add(pool)
        self._idle.put(pool)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True
        if not wait:  # a cell may take minutes: its process is ended
            for process in [p for pool in self._busy.copy() for p in (pool._processes or {}).values()]:
                process.terminate()
        for pool in self._all.copy():
            pool.shutdown(cancel_futures=cancel_futures)


class DaskWorkers(Executor):
    """The workers of a Dask cluster, found by the address of its scheduler."""

    def __init__(self, address: str, timeout: float = 30) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ClimateBNError("a Dask scheduler needs dask: pip install 'climatebn[dask]'") from None
        try:
            self._client = Client(address, timeout=timeout)
            self._client.wait_for_workers(1, timeout=timeout)
        except (OSError, TimeoutError, ValueError) as error:
            raise ClimateBNError(f"no Dask scheduler with workers answers at {address!r}: {error}") from None
        self._executor = self._client.get_executor(pure=False, retries=2)

    @property
    def slots(self) -> int:
        """Twice the threads of all workers that are there now: no worker waits for its next cell."""
        return 2 * sum(self._client.nthreads().values())

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(function, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait)
        self._client.close()


def _become_worker() -> None:
    from tqdm import tqdm

    tqdm.set_lock(threading.RLock())  # its own is a semaphore of the system, left behind by a worker that is ended
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for systems where the mask of `_quiet_start` is not inherited
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _without_script(pool: ProcessPoolExecutor, call: Any) -> Iterator[None]:
    """Keep a new process from running the user's script again, as "spawn" would, unless the call needs something of it.

    So a script that calls for workers at its top level, without ``if __name__ == "__main__"``, works.
    """
    script = sys.modules["__main__"]
    known = getattr(script, "__file__", None)
    hide = known is not None and not pool._processes and b"__main__" not in pickle.dumps(call)
    if hide:
        del script.__file__
    try:
        yield
    finally:
        if hide:
            script.__file__ = known


@contextmanager
def _quiet_start() -> Iterator[None]:
    """What a process inherits when it is started here: one thread, and no Ctrl-C."""
    before = os.environ.copy()
    os.environ.update(ONE_THREAD)
    masked = hasattr(signal, "pthread_sigmask") and signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        for name in ONE_THREAD:
            del os.environ[name]
        os.environ.update(before)
        if masked is not False:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
