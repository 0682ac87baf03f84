"""Prints how long a command takes: milliseconds.py PROGRAM ARGUMENT..."""

import subprocess, sys, time


def milliseconds():
    start = time.perf_counter()
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000


times = sorted(milliseconds() for _ in range(200))
print("coffer %-36s %5.1f ms, 95 of 100 within %5.1f ms" % (" ".join(sys.argv[2:]), times[100], times[190]))
