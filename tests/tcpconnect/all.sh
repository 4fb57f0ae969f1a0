# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
with=openmetrics
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="$sock_mistakes
2 --min-latency soon
2 --min-latency -1
2 --min-latency 99999999999h
2 --by nonsense takes some of destination, port, source, process, uid, not 'nonsense'
2 --by EMPTY
2 --by port,
2 --by=port --time is not for the table of --by
2 --by=port --print-uid is not for the table of --by
2 --by=port --buffer=1M is not for the table of --by
2 --by=port --sort=result no such column: 'result'
2 --by=port --columns=result no such column: 'result'
2 --interval 1s is not for the lines (see --by)
2 --count 3 is not for the lines (see --by)
2 --sort remote is not for the lines (see --by)
2 --rows 3 is not for the lines (see --by)
2 --output perfetto
"
