# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
operands=t:raw_syscalls:sys_enter
often='--interval 50ms -K' # a program's first user stacks are cut short, which is a loss
memory=8448 # its tables are the programs' memory, of which little is mapped
kept=$((1 << 2 | 1 << 19 | 1 << 34 | 1 << 40)) # to see files of processes and kallsyms
mistakes="
2 --user-stacks --kernel-stacks
2 --cpu x not 'x'
2 --cpu 100000
2 --cpu 0,
2 --cpu EMPTY
2 --output=heatmap
2 --sort=nothing
"
