# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="$sock_mistakes
2 --min-life soon
2 --min-life -1
2 --min-life 99999999999h
2 --output perfetto
"
