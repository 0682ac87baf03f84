"""Serves the current directory over https with a password, while a shell script runs that finds it at $ADDRESS."""

import base64
import http.server
import os
import ssl
import subprocess
import sys
import threading

certificate, key, user, password, script = sys.argv[1:]
expected = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.headers.get("Authorization") == expected:
            return super().do_GET()
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="test"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["ADDRESS"] = f"https://127.0.0.1:{server.server_port}"
sys.exit(subprocess.run(["sh", "-c", script]).returncode)
