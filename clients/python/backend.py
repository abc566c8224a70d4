"""Build backend of the package pixelboop (PEP 517): writes its wheel by the standard library alone; a build needs no network.

    python3 backend.py FOLDER       writes the wheel into FOLDER and prints its path

The same files give the same wheel, byte by byte.
"""

import base64
import hashlib
import pathlib
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = [*sorted((HERE / "pixelboop").glob("*.py")), HERE / "pixelboop/py.typed", HERE / "pytest_pixelboop.py"]
# The earliest date of a zip file.
DATE = (1980, 1, 1, 0, 0, 0)
FILE_MODE = 0o100644


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into a folder; returns its name (PEP 517, PEP 427)."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = f"{project['name']}-{project['version']}"
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in SOURCES}
    files[f"{base}.dist-info/METADATA"] = metadata(project).encode()
    files[f"{base}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: pixelboop\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{base}.dist-info/entry_points.txt"] = "".join(
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in entries.items())
        for group, entries in project["entry-points"].items()).encode()
    record = f"{base}.dist-info/RECORD"
    lines = [f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    name = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            member = zipfile.ZipInfo(path, DATE)
            member.external_attr, member.compress_type = FILE_MODE << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(member, data)
    return name


def metadata(project):
    """The core metadata (version 2.1) of the project's table."""
    lines = [
        "Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}",
        f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, packages in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {package}; extra == "{extra}"' for package in packages)]
    readme = (HERE / project["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(pathlib.Path(sys.argv[1], build_wheel(sys.argv[1])))
