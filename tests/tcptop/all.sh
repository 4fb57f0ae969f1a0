# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
kept=$((1 << 2 | 1 << 19 | 1 << 21 | 1 << 40)) # DAC_READ_SEARCH, SYS_PTRACE, SYS_ADMIN, CHECKPOINT_RESTORE
often='--interval 50ms'
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="$sock_mistakes
2 --by-process=1
2 --output perfetto
2 --output heatmap
"
