# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
kept=$((1 << 2 | 1 << 19 | 1 << 38 | 1 << 39 | 1 << 40)) # DAC_READ_SEARCH, SYS_PTRACE, PERFMON, BPF, CHECKPOINT_RESTORE
work="for i in \$(seq 7); do \"\$WORKLOADS/resolves\" threads 5; done >/dev/null"
mistakes="
2 --min-latency soon
2 --min-latency -1
2 --min-latency 99999999999h
2 --host EMPTY
2 --lib EMPTY
1 --lib DIR/none No such file or directory
1 --lib DIR not a library
1 --lib /etc/hosts not a library
1 --lib /bin/true has none of the functions
2 --output perfetto
"
memory=8960 # the symbols of every library that is found
