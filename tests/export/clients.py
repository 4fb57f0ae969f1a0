#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Clients that an exporter must not mind: who asks for much and reads nothing, who never ends a request, who sends too much, who
is many. Prints what became of each; all the while somebody else is answered.

    clients.py PORT"""
import socket
import sys
import time
import urllib.request

PORT = int(sys.argv[1])


def connected():
    one = socket.create_connection(('127.0.0.1', PORT), timeout=10)
    return one


def is_answered():
    begun = time.monotonic()
    body = urllib.request.urlopen(f'http://127.0.0.1:{PORT}/metrics', timeout=10).read()
    return b'strata_up' in body and time.monotonic() - begun < 5


def answer_to(request):
    with connected() as one:
        try:
            one.sendall(request)
            return one.recv(100).split(b'\r\n')[0].decode()
        except (ConnectionResetError, BrokenPipeError):
            return 'closed'


def ended(sockets):
    """How many of them the other end has closed."""
    closed = 0
    for one in sockets:
        one.setblocking(False)
        try:
            while one.recv(65536):
                pass
            closed += 1
        except BlockingIOError:
            pass
        except ConnectionError:
            closed += 1
    return closed


stuck = []
for _ in range(20):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(('127.0.0.1', PORT))
    one.sendall(b'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n' * 50)
    stuck.append(one)
print('stuck readers', is_answered())

slow = []
for _ in range(300):
    one = connected()
    one.sendall(b'GET /metrics HTTP/1.1\r\nX: ')
    slow.append(one)
print('slow requests', is_answered())
deadline = time.monotonic() + 60  # what a slow host needs for the answers to a thousand requests
while 320 - ended(slow) - ended(stuck) > 64 and time.monotonic() < deadline:
    time.sleep(0.5)
print('at most 64 of 320 are left', 320 - ended(slow) - ended(stuck) <= 64)
print('large header', answer_to(b'GET /metrics HTTP/1.1\r\nX: ' + b'x' * 100_000 + b'\r\n\r\n').split()[1:2] != ['200'])
print('large body', answer_to(b'POST /metrics HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n').split()[1:2] != ['200'])
print('no HTTP', answer_to(b'\x00\x01\x02\r\n\r\n').split()[1:2] != ['200'])
print('absolute', '404' in answer_to(b'GET http://x/y HTTP/1.1\r\nHost: x\r\n\r\n'))
print('hidden', '404' in answer_to(b'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n'))
print('after all', is_answered())
