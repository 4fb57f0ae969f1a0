# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
mistakes="
1 --disk nosuchdisk
2 --disk EMPTY
1 --disk ../../null
1 --disk DIR
"
