"""Asks sourcekit-lsp what an editor shows: `editor.py PACKAGE SOURCE WORD` prints errors, or what hovers over the word."""

import json
import pathlib
import subprocess
import sys


class Server:
    def __init__(self, root):
        self.process = subprocess.Popen(
            ["sourcekit-lsp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def call(self, method, parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("id") == self.number:
                return message["result"]


root, source, word = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
text = (root / source).read_text()
document = {"uri": (root / source).as_uri()}
server = Server(root)
options = {"experimentalFeatures": ["synchronize-for-build-system-updates"]}
server.call(
    "initialize",
    {"processId": None, "rootUri": root.as_uri(), "capabilities": {}, "initializationOptions": options},
)
server.send({"method": "initialized", "params": {}})
opened = {**document, "languageId": "swift", "version": 1, "text": text}
server.send({"method": "textDocument/didOpen", "params": {"textDocument": opened}})
# An editor would ask again once the package is loaded.
server.call("workspace/synchronize", {"buildServerUpdates": True, "index": True})
for error in server.call("textDocument/diagnostic", {"textDocument": document})["items"]:
    print("error:", error["message"])
before = text[: text.index(word)]
position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
hover = server.call("textDocument/hover", {"textDocument": document, "position": position})
print(hover["contents"]["value"] if hover else "nothing")
server.process.kill()
