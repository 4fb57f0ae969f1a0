# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
with_stack='--slower 0'
mistakes="
2 --by-owner moon not 'moon'
2 --by-owner EMPTY
2 --slower 10 with its unit, such as 50us or 10ms, or 0; at most 1h, not '10'
2 --slower EMPTY
2 --slower 2h
2 --slower -1ms
2 --slower=1ms --by-cpu
2 --slower=1ms --interval=1s
2 --slower=1ms --output=heatmap
"
