# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
# shellcheck disable=SC2034 # for tests/lib/all
often='--interval 50ms'
by_process='--interval 50ms --by process'
mistakes="
2 --by moon not 'moon'
2 --columns +unit these rows are of none (try: --by process)
2 --calls moon no system call is called 'moon'
2 --calls opentat (did you mean 'openat'?)
2 --calls read,raed no system call is called 'raed'
2 --calls no*such no system call is called 'no*such'
2 --calls read,
2 --calls EMPTY
2 --error moon not 'moon'
2 --error enoent not 'enoent' (did you mean 'ENOENT'?)
2 --error -2
2 --error 1k
2 --error 0
2 --error 4096
2 --error EMPTY
"
