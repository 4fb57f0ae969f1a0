# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A heat map of samples with stacks: what is chosen in it opens as a flame graph."""
from chromium import same


class Ranges:
    def __init__(self, browser, folder):
        self.browser, self.folder, self.ask = browser, folder, browser.ask

    def tests(self):
        return (self.ranges, self.ranges_by_keyboard)

    def look(self, name, scheme="light"):
        self.browser.size(1200, 800)
        self.browser.scheme(scheme)
        self.browser.open(f"{self.folder}/{name}.html")

    def cell(self, count):
        return self.ask(f"(() => {{ const box = document.querySelector('rect[data-n=\"{count}\"]').getBoundingClientRect();"
                        "return [box.x + box.width / 2, box.y + box.height / 2]; })()")

    def same_offer(self, what, wanted):
        same(what, [False, "Open as a flame graph " + wanted], self.ask("(({hidden, textContent}) => [hidden, textContent])(document.getElementById('range'))"))

    def same_boxes(self, what, wanted):
        same(what, wanted, self.ask("flameGraph.boxes().map((one) => [one.name, one.weight])"))

    def same_notes(self, what):
        same(what, True, self.ask("document.getElementById('notes').textContent").endswith("of these only 22:13:20.968 to 22:13:21.031: 16 samples"))

    def ranges(self):
        self.look("timed")
        same("nothing to open yet", True, self.ask("document.getElementById('range').hidden"))
        self.browser.click(*self.cell(40))
        self.same_offer("a cell", "22:13:20.093 to 22:13:20.125: 40 values")
        self.browser.drag(self.cell(9), self.cell(7))
        self.same_offer("from one to another", "22:13:20.968 to 22:13:21.031: 16 values")
        self.browser.screenshot(f"{self.folder}/timed-range.png")
        self.browser.load(lambda: self.ask(
            "(() => { const link = document.getElementById('open'); link.removeAttribute('target'); link.click(); })()"))
        self.browser.wait("typeof flameGraph === 'object'")
        all_boxes = [["all", 16], ["worker", 16], ["main", 16], ["wait", 2], ["work", 14]]
        self.same_boxes("of the range", all_boxes)
        self.same_notes("says so")
        self.browser.screenshot(f"{self.folder}/timed-flame.png")
        work = self.ask("flameGraph.boxes().find((one) => one.name === 'work')")
        self.browser.click(work["x"] + work["width"] / 2, work["y"])
        self.same_boxes("zoomed", [["all", 16], ["worker", 16], ["main", 16], ["work", 14]])
        self.ask("document.getElementById('reset').click()")
        self.same_boxes("everything of the range", all_boxes)
        self.browser.load(lambda: self.browser.call("Page.reload"))
        self.browser.wait("typeof flameGraph === 'object'")
        self.same_notes("a bookmark")
        same("complaints", [], self.browser.complaints())

    def ranges_by_keyboard(self):
        self.look("timed", scheme="dark")
        self.browser.press("Tab")
        self.browser.press("ArrowUp", shift=True)
        self.same_offer("two cells", "22:13:20.093 to 22:13:20.156: 40 values")
        self.browser.press("ArrowRight", shift=True)
        self.same_offer("and a second more", "22:13:20.093 to 22:13:21.156: 56 values")
        self.browser.screenshot(f"{self.folder}/timed-keyboard.png")
        self.browser.press("ArrowRight")
        self.browser.press("Enter")
        same("the link", "open", self.ask("document.activeElement.id"))
        self.look("known")
        self.browser.click(*self.cell(7))
        same("nothing to open without stacks", True, self.ask("document.getElementById('range').hidden"))
