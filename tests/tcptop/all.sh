# For tests/lib/all.
often='--interval 50ms'
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="$sock_mistakes
2 --by-process=1
2 --output perfetto
2 --output heatmap
"
