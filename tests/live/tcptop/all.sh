# For tests/live/all.
often='--interval 50ms'
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="
2 --local-port 0
2 --local-port 65536
2 --local-port http
2 --local-port 1,
2 --local-port 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 at most 32
2 --remote-port 0
2 --remote-port 65536
2 --remote-port -1
2 --remote EMPTY
2 --remote localhost not 'localhost'
2 --remote 10.0.0.0/33
2 --remote fe80::/129
2 --uid root
2 --uid -1
2 --uid 4294967296
2 --by-process=1
2 --output perfetto
2 --output heatmap
"
