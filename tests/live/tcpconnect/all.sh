# For tests/live/all.
work="for i in \$(seq 23); do \"\$WORKLOADS/sockets\" 4 client 3; \"\$WORKLOADS/sockets\" 6 reset 2; done >/dev/null"
mistakes="
2 --min-latency soon
2 --min-latency -1
2 --min-latency 99999999999h
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
2 --by nonsense takes some of destination, port, source, process and uid, not 'nonsense'
2 --by EMPTY
2 --by port,
2 --by=port --time is for lines
2 --by=port --print-uid is for lines
2 --by=port --buffer=1M is for lines
2 --by=port --sort=result not 'result'
2 --by=port --columns=result not 'result'
2 --interval 1s is for the table of --by
2 --count 3 is for the table of --by
2 --sort remote is for the table of --by
2 --rows 3 is for the table of --by
2 --output perfetto
"
