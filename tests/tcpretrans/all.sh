# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
with=openmetrics
work="for i in 1 2 3; do \"\$WORKLOADS/losses\" 4 some 23; \"\$WORKLOADS/losses\" 6 fast 23; done >/dev/null"
mistakes="$sock_mistakes
2 --local EMPTY
2 --local localhost not 'localhost'
2 --interval 1s is not for the lines (see --flows)
2 --count 3 is not for the lines (see --flows)
2 --sort segments is not for the lines (see --flows)
2 --rows 3 is not for the lines (see --flows)
2 --flows --loss-probes is not for the table of --flows
2 --flows --time is not for the table of --flows
2 --flows --sequence is not for the table of --flows
2 --flows --buffer=1M is not for the table of --flows
2 --flows --sort=segments
2 --output perfetto
"
