# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
mistakes="
2 --signal EMPTY
2 --signal KILL, not 'KILL,'
2 --signal NOSUCH not 'NOSUCH'
2 --signal 65
2 --signal -1
2 --target 0
2 --target -1
2 --target 4194305
2 --target init
2 --output perfetto
"
