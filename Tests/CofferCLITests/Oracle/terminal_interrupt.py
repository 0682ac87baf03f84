"""Presses Ctrl-C at a terminal where a command is run, and says how often the command is told.

Usage: terminal_interrupt.py COFFER OPTION...
"""

import os
import pty
import sys

COMMAND = """
import os, signal, sys
told, asked = 0, 0
def interrupted(*_):
    global told
    told += 1
    if told == 1: os.kill(os.getppid() if MASKED else os.getpid(), signal.SIGUSR1)
def answered(*_):
    # What was passed on before has arrived when the second answer has.
    global asked
    asked += 1
    if asked < 3: os.kill(os.getppid() if MASKED else os.getpid(), signal.SIGUSR1)
    else:
        print("told", told, flush=True)
        sys.exit(6)
signal.signal(signal.SIGINT, interrupted)
signal.signal(signal.SIGUSR1, answered)
print("ready", flush=True)
while True: signal.pause()
"""


def main():
    masked = "--mask" in sys.argv
    process, terminal = pty.fork()
    if process == 0:
        words = ["exec", *sys.argv[2:], "--", sys.executable, "-c", COMMAND.replace("MASKED", str(masked))]
        os.execv(sys.argv[1], ["coffer", *words])
    seen = b""
    while True:
        try:
            read = os.read(terminal, 1000)
        except OSError:
            break
        if not read:
            break
        if b"ready" in seen + read and b"ready" not in seen:
            os.write(terminal, b"\x03")
        seen += read
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    print(seen[seen.index(b"told"):].decode().strip(), "status", status)


main()
