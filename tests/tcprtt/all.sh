# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests/lib/all.
often='--interval 50ms'
work="for i in \$(seq 23); do \"\$WORKLOADS/exchanges\" 4 5; \"\$WORKLOADS/exchanges\" 6 3; done >/dev/null"
mistakes="
1 -p GONE bcc's -p PORT is -L PORT here$sock_mistakes
2 --local EMPTY
2 --local localhost not 'localhost'
2 --local ::/129
2 --sort avg_ns no such column
2 --columns avg_ns is not for the histograms (see --average)
2 --rows 3 is for several histograms, and this is one
2 --average --sort=rtt_ns
2 --average --output=heatmap
2 --output perfetto
"
