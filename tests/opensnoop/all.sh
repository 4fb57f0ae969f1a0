# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
mistakes="
2 --flags O_WRONLY,O_CREATE not 'O_CREATE'
2 --flags EMPTY
2 --path EMPTY
2 --uid nosuchuser a user of /etc/passwd or a number
2 --uid -1
2 --uid 4294967296
2 --min-latency soon
2 --min-latency -1
2 --min-latency 99999999999h
2 --output perfetto
2 --output pcapng
"
