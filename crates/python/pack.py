"""Packs an extension module that cargo has built already into a wheel, for tests.

`cargo xtask wheel` has maturin build the wheel that is installed. Tests use the module that was built with everything else that is
tested, so that nothing is compiled twice; what is packed beside it, and how it is called, is the same: both read `pyproject.toml`.

    python pack.py MODULE FOLDER
"""

import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).parent


def main(module: str, folder: str) -> None:
    version = re.search(r'^version = "(.+)"', (HERE / "../../Cargo.toml").read_text(), re.MULTILINE)[1]
    project = (HERE / "../../pyproject.toml").read_text()
    script = re.search(r'^equanym = "(.+)"', project, re.MULTILINE)[1]
    python = re.search(r'^requires-python = "(.+)"', project, re.MULTILINE)[1]
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"cp{python.strip('>=').replace('.', '')}-abi3-{platform}"
    info = f"equanym-{version}.dist-info"
    files = {f"equanym/{path.name}": path.read_bytes() for path in sorted((HERE / "python/equanym").glob("*.py*")) if path.is_file()}
    files["equanym/py.typed"] = b""
    files["equanym/_equanym.abi3.so"] = pathlib.Path(module).read_bytes()
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: equanym\nVersion: {version}\nRequires-Python: {python}\n".encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\nequanym = {script}\n".encode()
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() for name, data in files.items()}
    record = "".join(f"{name},sha256={hashes[name]},{len(data)}\n" for name, data in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode()
    path = pathlib.Path(folder) / f"equanym-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    print(path)


main(*sys.argv[1:])
