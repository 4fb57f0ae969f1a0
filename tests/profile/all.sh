# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often='--interval 50ms -K' # a program's first user stacks are cut short, which is a loss
memory=8448 # its tables are the programs' memory, of which little is mapped; and a command's libraries are read before it begins
kept=$((1 << 2 | 1 << 19 | 1 << 34 | 1 << 38 | 1 << 39 | 1 << 40)) # to see files of processes and kallsyms, and to attach
mistakes="
2 --frequency 0
2 --frequency 100001
2 --frequency many
2 --user-stacks --kernel-stacks
2 --event cycle not 'cycle'
2 --event cycles:x
2 --event cycles:uk perhaps with :u or :k
2 --event EMPTY
2 --event t:sched:sched_switch is counted by: strata stackcount t:sched:sched_switch
2 --event u:/bin/dd:main is counted by: strata stackcount u:/bin/dd:main
2 --event vfs_read (what leads to a function: strata stackcount FUNCTION)
2 --period 3 needs -e
2 --event=cs --period=0
2 --period=3 --frequency=3 is instead of
2 --by moon not 'moon'
2 --by cpu,
2 --by EMPTY
2 --cpu x not 'x'
2 --ip t:sched:sched_switch a tracepoint has none
2 --ip 0x20-0x10 has no addresses
2 --ip main+0x10 without an offset
2 --ip dd: the name is missing
2 --cpu 100000
2 --cpu 0,
2 --cpu EMPTY
2 --output=perfetto
2 --output flame:picture.png takes a FILE.html or FILE.svg, not 'picture.png'
2 --sort=nothing
"
