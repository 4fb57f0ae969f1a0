# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
with="heatmap openmetrics"
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="$sock_mistakes
2 --min-queue soon
2 --min-queue -1
2 --min-queue 99999999999h
2 --output perfetto
2 --interval 1s is not for the lines (see --queue-time and --backlog)
2 --queue-time=1
2 --drops --queue-time is not for --queue-time
"
