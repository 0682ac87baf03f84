"""Writes the wheel of the package: wheel.py LIBRARY DIRECTORY. The same files give the same bytes."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path


def glibc(library: Path) -> tuple[int, int]:
    """The version of glibc that a library needs."""
    symbols = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    return max((int(major), int(minor)) for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))


def build(library: Path, directory: Path) -> Path:
    """Writes the wheel, and returns its path."""
    root = Path(__file__).parent
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    major, minor = glibc(library)
    tag = f"py3-none-manylinux_{major}_{minor}_{os.uname().machine}"
    files = {f"{name}/{path.name}": path.read_bytes() for path in sorted((root / name).glob("*.py"))}
    files[f"{name}/py.typed"] = b""
    files[f"{name}/libcoffer.so.1"] = library.read_bytes()
    information = f"{name}-{version}.dist-info"
    extras = project["optional-dependencies"]
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {project['description']}"]
    lines += [f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Classifier: {each}" for each in project["classifiers"]]
    lines += [f"Provides-Extra: {extra}" for extra in extras]
    lines += [f"Requires-Dist: {each}; extra == '{extra}'" for extra, needed in extras.items() for each in needed]
    lines += ["Description-Content-Type: text/markdown", "", (root / "README.md").read_text()]
    files[f"{information}/METADATA"] = "\n".join(lines).encode()
    files[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: coffer\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    entries = [
        f"[{group}]\n" + "".join(f"{each} = {where}\n" for each, where in names.items())
        for group, names in project["entry-points"].items()
    ]
    files[f"{information}/entry_points.txt"] = "\n".join(entries).encode()
    files[f"{information}/licenses/LICENSE"] = (root.parents[2] / "LICENSE").read_bytes()
    record = f"{information}/RECORD"
    rows = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
        for path, data in files.items()
    ]
    files[record] = "\n".join([*rows, f"{record},,\n"]).encode()
    directory.mkdir(parents=True, exist_ok=True)
    wheel = directory / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if path.endswith(".1") else 0o644) << 16
            archive.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), Path(sys.argv[2])))
