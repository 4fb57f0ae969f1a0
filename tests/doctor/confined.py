# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What the runtime of containers does: a root of its own, some capabilities alone, and no way to get more.
usage: confined.py ROOT CAPABILITIES COMMAND...     CAPABILITIES as in a pod's manifest: BPF,PERFMON"""
import ctypes
import os
import sys

NAMES = ("CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST "
         "NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE "
         "SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG "
         "WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE").split()
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38

root, kept, command = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
libc = ctypes.CDLL(None, use_errno=True)
os.chroot(root)
os.chdir("/")
assert set(kept) <= set(NAMES), kept
for number, name in enumerate(NAMES):
    if name not in kept:
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # those that this kernel or host lacks are gone already
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
os.execv(command[0], command)
