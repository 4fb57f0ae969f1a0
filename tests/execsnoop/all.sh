# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
mistakes="
2 --uid nosuchuser a user of /etc/passwd or a number
2 --uid -1
2 --uid 4294967296
1 --ppid GONE no such process: 
2 --ppid 0
2 --ppid no
2 --parent EMPTY
2 --parent sixteen-and-more-bytes
2 --match a(b 'a(b'
2 --match EMPTY
2 --max-args 0
2 --max-args 255 from 256
2 --max-args 17k
2 --max-args -1
2 --output perfetto
"
