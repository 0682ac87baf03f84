"""Fails if a public symbol has no documentation: undocumented.py DIRECTORY, with symbol graphs of SwiftPM."""

import glob, json, sys

bare = []
count = 0
for path in glob.glob(sys.argv[1] + "/*.symbols.json"):
    with open(path) as file:
        graph = json.load(file)
    # What CofferLibrary implements, coffer.h documents.
    if graph["module"]["name"].endswith(("Tests", "CofferLibrary")):
        continue
    for symbol in graph["symbols"]:
        count += 1
        if not symbol.get("docComment", {}).get("lines"):
            bare.append(graph["module"]["name"] + "." + ".".join(symbol["pathComponents"]))
if bare or count < 100:
    sys.exit("dev: undocumented, of %d public symbols: %s" % (count, ", ".join(sorted(bare)) or "no symbols found"))
print("%d public symbols, all documented" % count)
