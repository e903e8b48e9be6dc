"""A disk that is nearly full: a small file system where we may mount one, else a limit on the size of files."""

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOMY = 256 << 20


class Disk:
    """A folder with little space: ``most_bytes`` is what a process must be started with where it is a mere limit."""

    def __init__(self, folder: Path, mounted: bool):
        self.folder, self.mounted, self.most_bytes = folder, mounted, None

    def fill(self, left: int, largest: int) -> None:
        """Leave so many bytes, or let no file grow over that share of the largest."""
        if self.mounted:
            used = sum(-(-path.lstat().st_size // 4096) * 4096 + 4096 for path in self.folder.rglob("*"))
            self._resize(used + left)
        else:
            self.most_bytes = largest

    def empty(self) -> None:
        """Make room."""
        self.most_bytes = None
        if self.mounted:
            self._resize(ROOMY)

    def _resize(self, size: int) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", str(self.folder)], check=True)


@contextmanager
def small_disk(folder: Path, mount: bool):
    """The disk; ``mount`` asks for a file system of its own."""
    folder.mkdir()
    mounted = mount and os.getuid() == 0
    if mounted:
        command = ["mount", "-t", "tmpfs", "-o", f"size={ROOMY}", "tmpfs", str(folder)]
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield Disk(folder, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)
