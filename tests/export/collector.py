#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A collector of OTLP over HTTP: each message that it takes is a line of FILE. The first REFUSED requests are answered with 503.

    collector.py PORT FILE REFUSED"""
import http.server
import json
import sys

PORT, FILE, LEFT = int(sys.argv[1]), sys.argv[2], [int(sys.argv[3])]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        LEFT[0] -= 1
        status = 503 if LEFT[0] >= 0 else 200
        with open(FILE, 'a') as file:
            message = json.loads(body) if status == 200 else {}
            file.write(json.dumps({'status': status, 'path': self.path, 'type': self.headers['Content-Type'], **message}) + '\n')
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', '2')
        self.end_headers()
        self.wfile.write(b'{}')

    def log_message(self, *_):
        pass


http.server.HTTPServer(('127.0.0.1', PORT), Handler).serve_forever()
