# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What a runtime's seccomp filter does that does not know bpf(2): it fails with EPERM, and all else passes.
usage: refused.py COMMAND..."""
import ctypes
import os
import platform
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, EPERM = 0x7FFF0000, 0x00050001
BPF = {"x86_64": 321, "aarch64": 280}[platform.machine()]

steps = b"".join(struct.pack("HBBI", *step) for step in (
    (LOAD_NUMBER, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, BPF), (RETURN, 0, 0, EPERM), (RETURN, 0, 0, ALLOW)))
memory = ctypes.create_string_buffer(steps)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps) // 8, ctypes.addressof(memory)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
