# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of export have in common. Each has a network namespace, and so the port, for itself.

HERE=$(cd "${1%/*}" && pwd -P)
PORT=17435
URL=http://127.0.0.1:$PORT

# exporter NAME <<TOML: begins, and is ready when that returns; what it says is in $OUT/NAME.said
exporter() {
	cat >"$DIR/$1.toml"
	"$STRATA" export -f "$DIR/$1.toml" 2>"$OUT/$1.said" &
	exporter=$!
	wait_until said "$1"
}

said() {
	grep -q '/metrics has ' "$OUT/$1.said" || ! kill -0 "$exporter" 2>/dev/null
}

# SIGTERM, and its exit status.
end() { # NAME
	kill -TERM "$exporter"
	wait "$exporter"
	note "$1" $?
}

scrape() { # FILE [OPTION]...
	file=$1
	shift
	curl -sS --max-time 10 "$@" "$URL/metrics" >"$OUT/$file"
}

# A program whose name no other process has, and which makes so many writes.
writes() { # NAME COUNT
	cp "$(command -v dd)" "$DIR/$1"
	"$DIR/$1" if=/dev/zero of=/dev/null bs=1 count="$2" status=none
}

# Debian's Prometheus with the exporter as its target, ready when that returns; rules are those of the file that may be there.
prometheus_scrapes() { # [OPTION]...
	cat >"$DIR/prometheus.yml" <<-END
		global: {scrape_interval: 1s, evaluation_interval: 1s}
		rule_files: ["$DIR/*.rules.yml"]
		scrape_configs:
		- job_name: strata
		  static_configs: [{targets: ["127.0.0.1:$PORT"]}]
	END
	prometheus --config.file="$DIR/prometheus.yml" --storage.tsdb.path="$DIR/data" --web.listen-address=127.0.0.1:17490 "$@" 2>>"$OUT/prometheus.said" &
	prometheus=$!
	wait_until curl -sf -o "$DIR/ready" http://127.0.0.1:17490/-/ready
}

# Its answer to a query, as it is, and the values of that.
asked() {
	curl -sS http://127.0.0.1:17490/api/v1/query --data-urlencode "query=$1"
}

query() {
	asked "$1" | gojq -r '.data.result[].value[1]' 2>/dev/null
}

answers() { # NUMBER QUERY
	[ "$(query "$2")" = "$1" ]
}
