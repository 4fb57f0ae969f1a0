# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often='--interval 50ms -K' # a program's first user stacks are cut short, which is a loss
with="heatmap openmetrics"
work='$WORKLOADS/locks mutex 53 1'
memory=12288 # its tables are the programs' memory, of which on most hosts little is mapped (8.5 MiB), on some more
kept=$((1 << 2 | 1 << 19 | 1 << 34 | 1 << 40)) # to see files of processes and kallsyms
mistakes="
2 --by process
2 --type futex
2 --type MUTEX
2 --type krwsem
2 --min-latency 5
2 --user-stacks --kernel-stacks
2 --by=lock --histogram
2 --by=thread --user-stacks
2 --histogram --kernel-stacks
2 --output=heatmap
2 --sort=nothing
"
