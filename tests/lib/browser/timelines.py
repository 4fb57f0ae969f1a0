# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The timelines of build/browser-pages in a browser: the numbers of JSON, what filters, zoom, pointer and keyboard show, and how
long a frame of 10,000 samples takes."""
import base64
import json

from chromium import same

LAYER_KEYS = ("layer", "behind", "count", "p50_ns", "p90_ns", "p99_ns", "max_ns")
SCRIPT = "</script><script>document.title='broken'</script>"


class Timelines:
    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def tests(self):
        return (self.timeline_numbers, self.timeline_table, self.timeline_order, self.timeline_filters, self.timeline_address,
                self.timeline_zoom, self.timeline_drawn, self.timeline_pointer, self.timeline_keyboard, self.timeline_heat_map,
                self.timeline_compared, self.timeline_threshold, self.timeline_hostile, self.timeline_many, self.timeline_empty,
                self.timeline_print, self.timeline_schemes)

    def ask(self, expression):
        return self.browser.ask(expression)

    def text(self, name):
        return self.ask(f"document.getElementById('{name}').textContent")

    def texts(self, selector):
        return self.ask(f"[...document.querySelectorAll({selector!r})].map((one) => one.textContent)")

    def shown(self):
        return self.ask("timeline.shown()")

    def look(self, name, fragment="", width=1200, height=900, scheme="light", shot=""):
        """What is right of every page; leaves it open."""
        self.browser.size(width, height)
        self.browser.scheme(scheme)
        self.browser.open(f"{self.folder}/{name}.html" + (f"#{fragment}" if fragment else ""))
        if shot:
            self.shoot(f"{shot}-{scheme}-{width}")
        same("complaints", [], self.browser.complaints())
        same("wider than the window", True, self.ask("document.scrollingElement.scrollWidth <= innerWidth"))

    def shoot(self, name):
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        with open(f"{self.folder}/timeline-{name}.png", "wb") as out:
            out.write(base64.b64decode(self.browser.call("Page.captureScreenshot")["data"]))

    def json(self, name):
        with open(f"{self.folder}/{name}.json", encoding="utf-8") as lines:
            _, *samples, end = map(json.loads, lines)
        return samples, end

    def place(self, sample, hop):
        """The middle of a hop's box on the screen."""
        return self.ask(f"""(() => {{
          const {{rows, axis, samples}} = timeline;
          const box = rows.canvas.getBoundingClientRect();
          const sample = samples.all.find((one) => one.id === {sample});
          const y = box.top + rows.head + rows.shown.indexOf(sample) * rows.height - rows.top;
          let found;
          rows.segments(sample, (i, from, to, before, time, lane) => {{
            const [top, tall] = rows.lanePlace(lane, y);
            if (i === {hop}) found = [box.left + (axis.x(from) + axis.x(to)) / 2, top + tall / 2];
          }});
          return found;
        }})()""")

    def timeline_numbers(self):
        """All that the page knows is what JSON has; what it computes itself, for filters, is what the summary has."""
        for name in ("three", "database", "ten-thousand"):
            self.look(name)
            samples, end = self.json(name)
            layers = [[one[key] for key in LAYER_KEYS] for one in end["layers"]]
            computed = [[one[0], bool(one[1]), *one[3:8]] for one in self.ask("timeline.layers()")]
            same(f"{name}: layers, computed", layers, computed)
            same(f"{name}: layers", layers, [[one[0], bool(one[1]), *one[3:8]] for one in self.ask("timeline.samples.about.layers")])
            same(f"{name}: samples", [[one["id"], one["outcome"], one["reason"] or "", one["seen_ns"], one["total_ns"]] for one in samples],
                 self.ask("timeline.samples.all.map((one) => [one.id, one.outcome[0], one.reason, one.seen, one.total])"))
            same(f"{name}: hops", [[[hop["layer"], hop["name"], hop["since_last_ns"], hop["behind"], hop["cpu"]] for hop in one["hops"]] for one in samples],
                 self.ask("timeline.samples.all.map((one) => one.hops.map(([kind, after, cpu]) => { const [layer, name, , behind] = timeline.samples.kinds[kind];"
                          "return [layer, name, after, behind === 1, cpu]; }))"))
            keys = ("file", "offset_bytes", "size_bytes", "io_mode", "comm", "tgid", "inode")
            same(f"{name}: fields", [[one[key] for key in keys] for one in samples],
                 self.ask("timeline.samples.all.map((one) => timeline.samples.fields(one.raw, 1).map(([, value]) => value))"))
            self.browser.wait("document.getElementById('found').textContent !== ''")
            same(f"{name}: account", end["account"]["sampled"], self.ask("timeline.samples.about.sampled"))
        same("as text says it", "10,000 samples", self.text("found"))
        same("loss", ["lost 12: ring buffer full"], self.texts("#notes .loss"))

    def timeline_table(self):
        self.look("three", shot="three")
        rows = self.ask("[...document.querySelectorAll('#layers tbody tr')].map((row) => [...row.children].map((one) => one.textContent).slice(0, 7))")
        same("table", [["the application waited"],
                       ["syscall", "3", "2.00us", "2.00us", "2.00us", "2.00us", "<0.1%"],
                       ["page cache", "2", "3.00us", "3.00us", "3.00us", "3.00us", "<0.1%"],
                       ["block", "1", "5.00us", "5.00us", "5.00us", "5.00us", "<0.1%"],
                       ["device", "1", "90.0us", "90.0us", "90.0us", "90.0us", "<0.1%"],
                       ["behind the application\u2019s back"],
                       ["page cache", "1", "30.0s", "30.0s", "30.0s", "30.0s", "99.9%"],
                       ["block", "1", "7.00us", "7.00us", "7.00us", "7.00us", "<0.1%"],
                       ["device", "1", "100us", "100us", "100us", "100us", "<0.1%"]], rows)
        same("under the bar", ["the application waited 106us, <0.1%; behind its back 30.0s, 99.9%", "what the application waited for: 106us"], self.texts(".under"))
        same("parts of the bars", 7 + 4, self.ask("document.querySelectorAll('.bar button').length"))
        same("head", ["strata follow", "strata follow --sample 1/100; host db1, Linux 6.12.48"], [self.text("title"), self.text("run")])
        same("end", True, "ended: done" in self.texts("#notes div"))
        same("account", ["3 sampled = 2 completed + 1 failed with ENOSPC"], self.texts("#notes .account"))

    def timeline_order(self):
        self.look("three")
        same("slowest first", [1, 2, 3], self.shown())
        self.look("three", "sort=seen")
        same("longest wait first", [2, 1, 3], self.shown())
        self.browser.press("s")
        same("as they began", [1, 2, 3], self.shown())
        same("in the address", "#sort=start", self.ask("location.hash"))
        self.look("three", "layer=device&sort=layer")
        same("most time in the device", [1, 2], self.shown())
        samples, _ = self.json("database")
        self.look("database")
        same("all of them", [one["id"] for one in sorted(samples, key=lambda one: (-one["total_ns"], one["id"]))], self.shown())

    def choose(self, key, value):
        self.ask(f"(() => {{ const list = document.getElementById('by-{key}'); list.value = {value!r}; list.dispatchEvent(new Event('change')); }})()")

    def timeline_filters(self):
        self.look("database")
        samples, _ = self.json("database")
        number = lambda wanted: len([one for one in samples if wanted(one)])
        file = samples[0]["file"]
        for key, value, wanted in (
                ("outcome", "failed", lambda one: one["outcome"] == "failed"),
                ("file", file, lambda one: one["file"] == file),
                ("process", "checkpointer/801", lambda one: (one["comm"], one["tgid"]) == ("checkpointer", 801)),
                ("io_mode", "sync", lambda one: one["io_mode"] == "sync"),
                ("layer", "device", lambda one: True)):
            self.choose(key, value)
            same(f"{key} {value}", number(wanted), len(self.shown()))
            self.choose(key, "")
        same("none", len(samples), len(self.shown()))
        same("only what differs", [], [one for one in self.texts("#filters option") if one.startswith(("any comm", "any tgid"))])
        self.choose("outcome", "failed")
        failed = [one for one in samples if one["outcome"] == "failed"]
        self.browser.wait("document.getElementById('found').textContent !== ''")
        same("said", f"{len(failed)} of {len(samples)} samples", self.text("found"))
        devices = sum(1 for one in failed for i, hop in enumerate(one["hops"]) if hop["layer"] == "device")
        same("table of these", devices, sum(one[3] for one in self.ask("timeline.layers()") if one[0] == "device"))
        shown = self.ask("[...document.querySelectorAll('#layers tbody tr')].filter((row) => row.textContent.startsWith('device'))"
                         ".reduce((sum, row) => sum + Number(row.children[1].textContent), 0)")
        same("and its text", devices, shown)
        self.look("database", "q=EIO")
        same("search in the reason", len(failed), len(self.shown()))
        self.look("database", "q=/wal.*A[01] /")
        same("regular expression", True, 0 < len(self.shown()) < len(samples))
        self.look("database", "q=/(((/")
        same("a wrong one", (True, len(samples)), (self.ask("document.getElementById('search').classList.contains('wrong')"), len(self.shown())))
        self.look("database", "q=nothing has this", shot="nothing")
        same("says so", "no sample is like this", self.text("empty"))

    def timeline_address(self):
        """A view is its address: nothing of it is lost by a reload, and somebody else's words do no harm."""
        self.look("database", "outcome=failed&scale=lin&dense=1&x=1000,5000000&id=97")
        self.browser.wait("!document.getElementById('panel').hidden")
        same("time", [1000, 5_000_000], [round(one) for one in self.ask("timeline.axis.times()")])
        same("open", "sample 97, failed (EIO)", self.text("name"))
        same("dense", 6, self.ask("timeline.rows.height"))
        self.look("database", "outcome=nowhere&scale=x&sort=y&x=a,b&h=1,2&id=1e9&constructor=1&__proto__=2&file=" + SCRIPT.replace("<", "%3C"))
        same("nothing", [], self.shown())
        self.ask("document.getElementById('reset').click()")
        same("everything", 400, len(self.shown()))
        self.look("three", "outcome=failed")
        self.ask("history.length")
        self.choose("outcome", "completed")
        self.ask("history.back()")
        self.browser.wait("timeline.shown().length === 1")
        same("Back", [3], self.shown())

    def timeline_zoom(self):
        """From nanoseconds to half a minute, about the place of the pointer."""
        self.look("three", "scale=log")
        times = lambda: self.ask("timeline.axis.times()")
        same("all of it", True, times()[0] == 0 and times()[1] >= 30e9)
        x, y = map(int, self.place(1, 4))
        before = self.ask(f"timeline.axis.begin + ({x} - timeline.axis.left) / timeline.axis.width * (timeline.axis.end - timeline.axis.begin)")
        for _ in range(200):
            self.browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-200, modifiers=2)
        after = self.ask(f"timeline.axis.begin + ({x} - timeline.axis.left) / timeline.axis.width * (timeline.axis.end - timeline.axis.begin)")
        same("under the pointer", True, abs(before - after) < 1e-3)
        same("nanoseconds", True, 9 < times()[1] - times()[0] < 100)
        self.ask("timeline.draw()")
        base = self.ask("timeline.axis.ticks()")
        same("what the digits have in common", True, base["base"] != "" and base["lines"][1][1].startswith("+"))
        self.shoot("nanoseconds")
        self.browser.press("0")
        same("all again", True, times()[1] >= 30e9)
        self.look("three", "scale=lin")
        self.browser.press("+")
        first = times()
        same("in", True, first[1] - first[0] < 20e9)
        self.browser.press("ArrowRight")
        same("later", True, times()[0] > first[0] and abs((times()[1] - times()[0]) - (first[1] - first[0])) < 1)
        self.browser.wait("location.hash.includes('x=')")
        x, y = self.place(1, 3)
        at = times()
        self.browser.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - 100, y=y, button="left", buttons=1)
        self.browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=x - 100, y=y, button="left", clickCount=1)
        size = self.ask("timeline.axis.width")
        same("dragged", round((at[0] + 100 / size * (at[1] - at[0])) / 1e6), round(times()[0] / 1e6))
        same("no click", True, self.ask("document.getElementById('panel').hidden"))
        self.look("three")
        same("hop by hop a wait of 30 s leaves room for the others", True, self.ask(
            "(() => { let wait, all; const {rows, samples} = timeline; rows.segments(samples.all[0], (i, from, to) => { if (i === 3) wait = to - from; all = to; }); return wait < all * 0.6; })()"))

    def timeline_drawn(self):
        """Each hop has the colour of the layer where its time was spent, in its lane and nowhere else."""
        for scheme in ("light", "dark"):
            for scale in ("", "log"):
                self.look("three", f"scale={scale}", scheme=scheme)
                self.ask("timeline.draw()")
                for hop, lane in ((1, 1), (3, 1), (4, 2)) if not scale else ((1, 1), (2, 0), (3, 1)):
                    wanted = self.ask(f"getComputedStyle(document.documentElement).getPropertyValue('--l' + timeline.samples.lanes[{lane}].colour)")
                    x, y = self.place(1, hop)
                    pixel = lambda dx, dy: self.ask(f"""(() => {{ const {{canvas, pen}} = timeline.rows; const box = canvas.getBoundingClientRect();
                      return '#' + [...pen.getImageData({x + dx} - box.left, {y + dy} - box.top, 1, 1).data].slice(0, 3).map((one) => one.toString(16).padStart(2, '0')).join(''); }})()""")
                    same(f"{scheme} {scale} hop {hop}", wanted, pixel(0, 0))
                    same(f"{scheme} {scale} above hop {hop}", True, pixel(0, -4) != wanted)

    def timeline_pointer(self):
        self.look("three")
        self.browser.point(*self.place(1, 5))
        same("tip", "device: 100us, <0.1% of the sample\nuntil device complete at 30.0s\nsample 1, completed, total 30.0s", self.text("tip"))
        self.browser.click(*self.place(2, 4))
        same("open", "sample 2, completed", self.text("name"))
        same("in the address", "#id=2", self.ask("location.hash"))
        rows = self.ask("[...document.querySelectorAll('#tree tr[data-hop]')].map((row) => [...row.children].slice(0, 3).map((one) => one.textContent))")
        same("tree", [["0ns", "", "syscall"], ["2.00us", "2.00us", "page cache"], ["3.00us", "1.00us", "page cache"], ["8.00us", "5.00us", "block"],
                      ["98.0us", "90.0us", "device"], ["100us", "2.00us", "syscall"]], rows)
        same("rule", "the application waited 100us", self.texts("#tree th[colspan]")[-1])
        self.shoot("open")
        self.look("three", width=390, height=800)
        self.ask("document.getElementById('rows').scrollIntoView()")
        self.browser.touch(*self.place(1, 3))
        self.browser.wait("!document.getElementById('panel').hidden")
        same("touched", "sample 1, completed", self.text("name"))
        same("rules", ["the application waited 5.00us; behind its back"], self.texts("#tree th[colspan]"))
        self.shoot("open-390")

    def timeline_keyboard(self):
        self.look("three")
        self.ask("document.getElementById('rows').focus({preventScroll: true})")
        for key in ("ArrowDown", "ArrowDown"):
            self.browser.press(key)
        same("said", "sample 2, completed, total 100us, 2 of 3", self.text("said"))
        self.browser.press("Enter")
        same("open", "sample 2, completed", self.text("name"))
        same("in the tree", "0", self.ask("document.activeElement.dataset.hop"))
        self.browser.press("ArrowDown")
        self.browser.press("ArrowDown")
        same("second hop", ("2", 2), (self.ask("document.activeElement.dataset.hop"), self.ask("timeline.rows.hop")))
        self.browser.press("End")
        same("last hop", "5", self.ask("document.activeElement.dataset.hop"))
        self.browser.press("Escape")
        same("closed", True, self.ask("document.getElementById('panel').hidden"))
        same("back in the picture", "rows", self.ask("document.activeElement.id"))
        self.browser.press("ArrowUp")
        same("above", "sample 1, completed, total 30.0s, 1 of 3", self.text("said"))
        self.browser.press("l")
        same("logarithmic", "#scale=log", self.ask("location.hash"))
        self.browser.press("?")
        same("help", True, self.ask("document.getElementById('help').open"))
        self.shoot("help")
        self.browser.press("Escape")
        self.browser.press("/")
        same("search", "search", self.ask("document.activeElement.id"))
        self.look("ten-thousand")
        self.browser.press("End")
        same("seen", True, self.ask("(() => { const {rows} = timeline; timeline.draw(); const at = rows.shown.indexOf(rows.selected) * rows.height - rows.top;"
                                    "return rows.selected === rows.shown[9999] && at >= 0 && at + rows.height <= rows.tall; })()"))

    def timeline_heat_map(self):
        self.look("database")
        samples, _ = self.json("database")
        box = self.ask("(({left, top, width, height}) => [left, top, width, height])(document.getElementById('heat').getBoundingClientRect())")
        ends = (box[0] + 60, box[1] + 3), (box[0] + box[2] - 3, box[1] + 60)
        self.browser.call("Input.dispatchMouseEvent", type="mousePressed", x=ends[0][0], y=ends[0][1], button="left", clickCount=1)
        self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=ends[1][0], y=ends[1][1], button="left", buttons=1)
        self.browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=ends[1][0], y=ends[1][1], button="left", clickCount=1)
        self.browser.wait("location.hash.includes('h=')")
        from_ns, to_ns, low, high = map(int, self.ask("new URLSearchParams(location.hash.slice(1)).get('h')").split(","))
        start = 1_700_000_000_000_000_000
        wanted = [one["id"] for one in samples if from_ns <= one["time_ns"] - start < to_ns and low <= one["total_ns"] < high]
        same("chosen", sorted(wanted), sorted(self.shown()))
        same("some of them", True, 0 < len(wanted) < len(samples))
        self.shoot("chosen")
        self.ask("document.getElementById('chip').click()")
        same("all", len(samples), len(self.shown()))

    def timeline_compared(self):
        self.look("database")
        document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.call("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[f"{self.folder}/slower.html"])
        self.browser.wait("document.querySelectorAll('.bar').length === 4")
        _, end = self.json("slower")
        counts = [one["count"] for one in end["layers"]]
        same("counts of the other", counts, [int(one.replace(",", "")) for one in self.texts("#layers tr.other td:nth-child(2)")])
        same("named", True, self.texts(".under")[2].startswith("slower.html: the application waited "))
        self.shoot("compared")
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[f"{self.folder}/known.html"])
        self.browser.wait("document.getElementById('found').textContent.startsWith('known.html is no page')")

    def timeline_threshold(self):
        self.look("threshold", shot="threshold")
        samples, end = self.json("threshold")
        same("shown", len(samples), len(self.shown()))
        same("not shown", [one["count"] for one in end["rest"]["layers"]], [one[3] for one in self.ask("timeline.samples.about.rest.layers")])
        same("says so", True, any(text.startswith(f"{end['rest']['samples']} of them below --min-total 1.00s") for text in self.texts("#notes div")))
        same("bars", 4, self.ask("document.querySelectorAll('.bar').length"))

    def timeline_hostile(self):
        self.look("hostile-timeline", "id=2", shot="hostile")
        same("title", True, self.ask("document.title").startswith("strata <img src=x onerror"))
        same("images", 0, self.ask("document.images.length"))
        same("scripts", 2, self.ask("document.scripts.length"))
        facts = "".join(self.texts(".facts span"))
        same("escaped", True, r"$'\xe2\x80\xa8\xe2\x80\xae\x1b[31m\xff\x0a<!--" in facts)
        same("no control", [], [c for c in self.ask("document.body.innerText") if (ord(c) < 32 and c not in "\n\t") or c in "\u202e\u2028"])
        self.browser.press("ArrowUp")
        self.browser.press("ArrowDown")
        self.ask("document.getElementById('by-file').value")
        same("loss", ["lost 1: " + SCRIPT], self.texts("#notes .loss"))
        self.look("hostile-timeline", "id=1")
        same("reason", "sample 1, failed (" + SCRIPT + ")", self.text("name"))
        same("in the list", True, any(one.startswith(SCRIPT) for one in self.texts("#by-file option")))

    def timeline_many(self):
        """The best of many: what else the machine does is not the page's fault. 60 frames a second are 16.7 ms for each."""
        self.look("ten-thousand", shot="ten-thousand")
        # What is drawn is only noted down until somebody looks at a pixel.
        frame = ("(() => { const from = performance.now(); %s; timeline.draw(); timeline.rows.pen.getImageData(0, 0, 1, 1); return performance.now() - from; })()")
        took = {}
        for name, fragment in (("lanes", ""), ("dense", "dense=1&scale=log")):
            self.look("ten-thousand", fragment)
            self.ask("scrollTo(0, 20000); timeline.axis.zoom(0.5, 600)")
            took[f"pan, {name}"] = min(self.ask(frame % f"timeline.axis.pan({1 - 2 * (i % 2)} * 7)") for i in range(20))
            took[f"scroll, {name}"] = min(self.ask(frame % f"scrollBy(0, {1 - 2 * (i % 2)} * 100)") for i in range(20))
        took["filter"] = min(self.ask(f"(() => {{ const from = performance.now(); timeline.go({{outcome: {value!r}}}); return performance.now() - from; }})()")
                             for value in ("failed", "", "completed", "", "completed", ""))
        print("10,000 samples: " + ", ".join(f"{what} {ms:.1f} ms" for what, ms in took.items()))
        same("frames of more than 16 ms", [], [what for what, ms in took.items() if what != "filter" and ms > 16])
        same("filters of more than half a second", True, took["filter"] < 500)
        self.look("ten-thousand", "q=pg_wal")
        same("search", len([one for one in self.json("ten-thousand")[0] if "pg_wal" in one["file"]]), len(self.shown()))

    def timeline_empty(self):
        self.look("no-samples", shot="no-samples")
        same("says so", "no samples", self.text("empty"))
        for key in ("ArrowDown", "Enter", "f", "w", "+", "l", "s", "d", "Escape"):
            self.browser.press(key)
        same("complaints", [], self.browser.complaints())

    def timeline_print(self):
        """On paper are the numbers, the first rows and the sample that is open, in black on white, whatever the screen is."""
        self.look("ten-thousand", "id=9&scale=log", scheme="dark")
        data = base64.b64decode(self.browser.call("Page.printToPDF", printBackground=True)["data"])
        with open(f"{self.folder}/timeline-print.pdf", "wb") as out:
            out.write(data)
        pages = data.count(b"/Type /Page\n") or data.count(b"/Type /Page") - data.count(b"/Type /Pages")
        same("pages", True, 1 <= pages <= 3)
        self.browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.browser.size(720, 1000)
        self.browser.wait("timeline.rows.pen.getImageData(5, 200, 1, 1).data[0] > 250")
        self.browser.screenshot(f"{self.folder}/timeline-print.png")
        same("toolbar", "none", self.ask("getComputedStyle(document.getElementById('tools')).display"))
        same("white", "rgb(255, 255, 255)", self.ask("getComputedStyle(document.body).backgroundColor"))
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def timeline_schemes(self):
        for scheme in ("light", "dark"):
            for width in (1200, 390):
                self.look("database", scheme=scheme, width=width, height=1300, shot="database")
            self.look("database", "id=40&scale=log", scheme=scheme, shot="database-open")
            self.look("database", "dense=1&sort=start&scale=lin", scheme=scheme, shot="database-dense")
