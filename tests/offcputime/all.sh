# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often='--interval 50ms -K' # a program's first user stacks are cut short, which is a loss
with="heatmap openmetrics"
memory=11264 # its tables are the programs' memory, of which on most hosts little is mapped (8.5 MiB), on some more
kept=$((1 << 2 | 1 << 19 | 1 << 34 | 1 << 40)) # to see files of processes and kallsyms
mistakes="
2 --min-latency 5
2 --max-latency 5
2 --state Q
2 --state s
2 --user-stacks --kernel-stacks
2 --user-threads --kernel-threads
2 --waker --waker-alone
2 --waker --chain
2 --chain --waker-alone
2 --chain --histogram
2 --chain --account
2 --depth 0 not '0'
2 --depth 9 not '9'
2 --depth 3 is not for the stacks (see --chain)
2 --waker --account
2 --waker-alone --histogram
2 --account --histogram
2 --account --user-stacks
2 --histogram --kernel-stacks
2 --output=heatmap
2 --sort=nothing
"
