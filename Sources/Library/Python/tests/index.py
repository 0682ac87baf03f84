"""A package index that wants a password: index.py PORT USER PASSWORD COMMAND... serves it while the command runs.

It serves one package, `sample`, at http://localhost:PORT/simple, and refuses everyone else.
"""

import base64
import hashlib
import io
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "sample-1.0-py3-none-any.whl"


def wheel() -> bytes:
    """Returns the package."""
    files = {
        "sample.py": "text = 'from the index'\n",
        "sample-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n",
        "sample-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "sample-1.0.dist-info/RECORD"
    files[record] = "".join(f"{name},{digest(text)},{len(text)}\n" for name, text in files.items()) + f"{record},,\n"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def digest(text: str) -> str:
    """Returns the hash of a file as RECORD has it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


class Index(BaseHTTPRequestHandler):
    """The index."""

    expected = ""
    refused = 0
    served = 0

    def do_GET(self) -> None:  # noqa: N802
        """Answers a request."""
        if self.headers.get("Authorization") != self.expected:
            Index.refused += 1
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic realm=index")
            self.end_headers()
            return
        Index.served += 1
        body = wheel() if self.path.endswith(".whl") else f'<a href="/simple/sample/{NAME}">{NAME}</a>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if not self.path.endswith(".whl") else "application/zip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


def main(port: str, user: str, password: str, *command: str) -> int:
    """Serves the index while a command runs, and returns its exit code."""
    Index.expected = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
    server = ThreadingHTTPServer(("localhost", int(port)), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    code = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=120).returncode
    print(f"refused {Index.refused} requests without the password, served {Index.served} with it")
    return code if Index.served else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
