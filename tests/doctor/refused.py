# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""bpf(2) fails with an error, by a seccomp filter, and all else passes: with EPERM as in a runtime that does not know the call.
Of some of its commands alone: an error that a test cannot provoke.
usage: refused.py ERROR[:BPF_COMMAND,...] COMMAND..."""
import ctypes
import errno
import os
import platform
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER, FIRST_ARGUMENT = 0, 16  # offsets in struct seccomp_data; of the argument, its low half (little-endian)
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
BPF = {"x86_64": 321, "aarch64": 280}[platform.machine()]
COMMANDS = {"BPF_MAP_CREATE": 0, "BPF_RAW_TRACEPOINT_OPEN": 17, "BPF_LINK_CREATE": 28}

error, _, commands = sys.argv[1].partition(":")
numbers = [COMMANDS[name] for name in commands.split(",") if name]
refuse = (RETURN, 0, 0, REFUSE | getattr(errno, error))
to_refuse = [(JUMP_IF_EQUAL, left, left == 0, number) for left, number in zip(reversed(range(len(numbers))), numbers)]
of_commands = [(LOAD, 0, 0, FIRST_ARGUMENT), *to_refuse] if numbers else []
steps = b"".join(struct.pack("HBBI", *step) for step in (
    (LOAD, 0, 0, NUMBER), (JUMP_IF_EQUAL, 0, len(of_commands) + 1, BPF), *of_commands, refuse, (RETURN, 0, 0, ALLOW)))
memory = ctypes.create_string_buffer(steps)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps) // 8, ctypes.addressof(memory)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) == 0
os.execvp(sys.argv[2], sys.argv[2:])
