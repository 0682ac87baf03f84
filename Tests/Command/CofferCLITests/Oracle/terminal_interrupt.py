"""Presses Ctrl-C at a terminal where a command runs with --mask, and counts how often the command gets the signal.

Usage: terminal_interrupt.py COFFER OPTION...

The terminal signals all processes of its foreground group. The command leaves that group, so any signal that it gets
comes from the program that runs it.
"""

import os
import pty
import signal
import sys

COMMAND = """
import os, signal, sys
# Signals are taken with sigwait, so that none is missed between a check and a wait.
awaited = {signal.SIGINT, signal.SIGUSR1}
signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
os.setpgid(0, 0)
print("ready", flush=True)
told, asked = 0, 0
while asked < 3:
    if signal.sigwait(awaited) == signal.SIGINT: told += 1
    else:
        # By the third answer, any earlier signal has been passed on.
        asked += 1
        if asked < 3: os.kill(os.getppid(), signal.SIGUSR1)
print("told", told, flush=True)
sys.exit(6)
"""


def main():
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.argv[1], ["coffer", "exec", *sys.argv[2:], "--", sys.executable, "-c", COMMAND])
    seen = b""
    pressed = answered = False
    while True:
        try:
            read = os.read(terminal, 1000)
        except OSError:
            break
        if not read:
            break
        seen += read
        if b"ready" in seen and not pressed:
            pressed = True
            os.write(terminal, b"\x03")
        # The terminal echoes ^C after it has signaled the group.
        if b"^C" in seen and not answered:
            answered = True
            os.kill(process, signal.SIGUSR1)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    print(seen[seen.index(b"told"):].decode().strip(), "status", status)


main()
