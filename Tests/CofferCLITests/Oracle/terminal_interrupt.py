"""Presses Ctrl-C at a terminal where a command is run with --mask, and says how often it is passed on to the command.

Usage: terminal_interrupt.py COFFER OPTION...

The terminal tells all processes of the group that it is with. The command leaves that group, so that what it is told
comes from the program that runs it.
"""

import os
import pty
import signal
import sys

COMMAND = """
import os, signal, sys
# Taken one by one, so that none comes between a look and a wait.
awaited = {signal.SIGINT, signal.SIGUSR1}
signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
os.setpgid(0, 0)
print("ready", flush=True)
told, asked = 0, 0
while asked < 3:
    if signal.sigwait(awaited) == signal.SIGINT: told += 1
    else:
        # What was passed on before has arrived when the third answer has.
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
        # The terminal shows it when it has told everybody.
        if b"^C" in seen and not answered:
            answered = True
            os.kill(process, signal.SIGUSR1)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    print(seen[seen.index(b"told"):].decode().strip(), "status", status)


main()
