"""The checksums of the recorded arrays."""

import hashlib
from pathlib import Path


def write_sums(folder):
    """Write SHA256SUMS for all files of arrays in a folder."""
    files = sorted(Path(folder).glob("*.npz"))
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    Path(folder, "SHA256SUMS").write_text("".join(sums), encoding="utf-8", newline="\n")
