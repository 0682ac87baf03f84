"""Prints the numbers of ports of TCP that are free: free_ports.py COUNT."""

import socket, sys

sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for each in sockets:
    each.bind(("127.0.0.1", 0))
print(*(each.getsockname()[1] for each in sockets))
