# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
mistakes="
2 --min-latency 4x
2 --min-latency 10 with its unit
2 --min-latency -1
2 --min-latency 99999999999h
1 --disk nosuchdisk no such disk: 'nosuchdisk'
2 --disk EMPTY
1 --disk ../../null
1 --disk DIR
"
