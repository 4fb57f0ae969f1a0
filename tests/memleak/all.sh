# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
kept=$((1 << 2 | 1 << 19 | 1 << 34 | 1 << 38 | 1 << 39 | 1 << 40)) # to see files of processes, kallsyms, and to attach
often='--interval 50ms -z 2003 -Z 2003' # a program's first stacks are cut short, which is a loss
work='"$WORKLOADS/leaks-static" all 0'
memory=9728 # its tables are the programs' memory, of which little is mapped
mistakes="
2 --older 5
2 --older soon
2 --min-size -1
2 --min-size much
2 --max-size none
2 --max-size 0
2 --sample 2/3
2 --sample 0
2 --max-blocks 0
2 --max-blocks 16777217
2 --functions own=new LIKE being
2 --functions =malloc names no function
2 --functions own_new LIKE being
2 --kernel objects
2 --kernel=slab --growth
2 --functions=own=malloc --kernel=pages of which --kernel shows none
2 --older=1s --growth
2 --min-size=1 --growth
2 --max-size=1 --growth
2 --sample=1/2 --growth
2 --functions=own=malloc --growth
2 --max-blocks=7 --growth
2 --output=heatmap
2 --sort=nothing
"
