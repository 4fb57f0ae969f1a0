# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often='--interval 50ms'
by_process=--list
with=pcapng
kept=$((1 << 34)) # SYSLOG
work="for i in 1 2 3 4 5 6 7; do \"\$WORKLOADS/datagrams\" closed 4 53 17063; \"\$WORKLOADS/datagrams\" refused 6 11 17063; done >/dev/null"
mistakes="$packet_mistakes
2 --by moon not 'moon'
2 --by EMPTY
2 --by place,
2 --reason MOON not 'MOON'
2 --reason EMPTY
2 --reason NO_SOCKET,
1 --place no_such_function no function of the kernel
2 --place EMPTY
2 --output perfetto
"
