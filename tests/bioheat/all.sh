# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
mistakes="
2 --by-owner moon not 'moon'
2 --by-owner EMPTY
2 --time later
1 --disk nosuchdisk
2 --disk EMPTY
1 --disk ../loop0
1 --disk /dev/null
1 --disk DIR
"
