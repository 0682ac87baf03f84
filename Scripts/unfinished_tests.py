"""Prints the tests that have started and not ended: unfinished_tests.py EVENTS, which `swift test` wrote."""

import json, sys

running = {}
for line in open(sys.argv[1]):
    event = json.loads(line)["payload"]
    if event.get("kind") == "testStarted":
        running[event["testID"]] = True
    if event.get("kind") in ("testEnded", "testSkipped"):
        running.pop(event["testID"], None)
print(*(test for test in running if "(" in test), sep=", ")
