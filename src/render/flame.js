// What is shown follows from the fragment of the address alone: v view, f function of the sandwich, z node that is
// zoomed to, q search, i inverted, t table, w run whose widths are drawn; from and to, by which a heat map opens a part
// of the time. So a reload, a bookmark and Back keep it.
(async () => {
  const ROW = 18; // px
  const LEAST = 0.5; // what is narrower is not drawn
  const INK = "#14171c"; // on every box, of both schemes
  const ROWS_OF_TABLE = 300;
  const $ = (id) => document.getElementById(id);
  const part = partOf(new URLSearchParams(location.hash.slice(1)));
  const {head, tree} = decode(await inflate($("data").textContent), part);
  const names = head.names;
  tree.rank = new Uint32Array(names.length);
  [...names.keys()].sort((a, b) => (names[a] < names[b] ? -1 : 1)).forEach((name, i) => (tree.rank[name] = i));
  const runs = tree.self.length;
  const scroll = $("scroll");
  const canvas = $("graph");
  const pen = canvas.getContext("2d");
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const threads = new Uint8Array(names.length); // names that threads have
  if (head.threads) for (let node = 1; node < tree.size; node = tree.end[node]) threads[tree.name[node]] = 1;

  // ---- numbers and words
  const amount = (weight) => {
    if (head.unit === "ns") return timeText(weight);
    if (head.unit === "bytes") return bytesText(weight);
    return weight.toLocaleString("en") + (head.label ? " " + head.label : "");
  };
  const points = (share) => (share < 0 ? "\u2212" : "+") + Math.abs(100 * share).toFixed(2) + " points";

  // ---- state
  let state = {};
  const past = []; // fragments, for the button: the browser's own Back works as well
  const fragment = (of) => {
    const words = new URLSearchParams();
    for (const [key, value] of Object.entries(of)) if (value !== "" && value !== undefined) words.set(key, value);
    return "#" + words;
  };
  const read = () => {
    const words = new URLSearchParams(location.hash.slice(1));
    const get = (key) => words.get(key) || "";
    return {v: ["leaf", "sandwich"].includes(get("v")) ? get("v") : "", f: get("f"), z: get("z"), q: get("q"),
      from: get("from"), to: get("to"), i: get("i") && "1", t: get("t") && "1", w: runs > 1 && get("w") ? "1" : ""};
  };
  const go = (change, {quietly = false} = {}) => {
    const to = fragment({...state, ...change});
    if (to === fragment(state)) return;
    if (quietly) {
      location.replace(to);
    } else {
      past.push(fragment(state));
      location.hash = to;
    }
    apply();
  };

  // ---- colours
  let colours;
  let shown; // custom properties of the page
  const paint = () => {
    const kinds = dark.matches ? head.dark : head.light;
    const steps = dark.matches ? head.darkSteps : head.lightSteps;
    const of = getComputedStyle(document.documentElement);
    shown = (name) => of.getPropertyValue("--" + name);
    colours = {steps, thread: kinds[0], names: names.map((_, name) => kinds[head.kinds[name]][head.shades[name]])};
    const legend = $("legend");
    legend.replaceChildren();
    const add = (colour, text) => {
      const one = element(legend, "span");
      element(one, "i").style.background = colour;
      one.append(text);
    };
    if (head.differential) {
      add(steps[0], "shrank");
      add(steps[(steps.length - 1) / 2], "as before");
      add(steps[steps.length - 1], "grew");
    } else {
      const used = new Set(tree.size > 1 ? [...head.kinds].map(Number) : []);
      if (head.threads && tree.size > 1) used.add(0);
      for (const kind of [...used].sort()) add(kinds[kind][2], head.kindNames[kind]);
    }
  };

  // ---- what is drawn: panes, of which a sandwich has two
  const wholes = tree.total.map((total) => total[0]);
  const run = () => (runs > 1 && !state.w ? 1 : 0);
  const change = (of, node) => (of.total[1][node] - of.total[0][node] * head.scale) / (wholes[1] || 1);
  let panes = [];
  let mostChange = 0;
  let leaf;
  let sandwich = {};
  let selected; // {pane, node}

  const placed = (one) => {
    if (one.placedFor !== run()) one.place(run());
    one.placedFor = run();
    return one;
  };
  const paneOf = (one, up, zoomTo) => ({tree: placed(one), up, zoom: zoomTo < one.size ? zoomTo : 0, rows: [], top: 0});
  const makePanes = () => {
    const zoom = Math.max(0, Number.parseInt(state.z, 10) || 0);
    if (state.v === "leaf") return [paneOf((leaf = leaf || leafFirst(tree)), Boolean(state.i), zoom)];
    if (state.v !== "sandwich") return [paneOf(tree, !state.i, zoom)];
    const name = names.indexOf(state.f);
    if (sandwich.name !== name) sandwich = {name, callers: callersOf(tree, name), callees: calleesOf(tree, name)};
    return [paneOf(sandwich.callers, true, 0), paneOf(sandwich.callees, false, 0)];
  };

  // The nodes of each row that are wide enough to be seen.
  const layOut = (pane, width) => {
    const {tree: of, zoom} = pane;
    const total = of.total[run()];
    pane.scale = total[zoom] > 0 ? width / total[zoom] : 0;
    pane.rows = [];
    for (let node = of.parent[zoom]; node >= 0; node = of.parent[node]) pane.rows[of.level[node]] = [node];
    for (let node = zoom; node < of.end[zoom];) {
      if (total[node] * pane.scale < LEAST) {
        node = of.end[node];
        continue;
      }
      (pane.rows[of.level[node]] = pane.rows[of.level[node]] || []).push(node);
      node++;
    }
  };
  const left = (pane, node) =>
    pane.tree.level[node] < pane.tree.level[pane.zoom] ? 0 : (pane.tree.start[node] - pane.tree.start[pane.zoom]) * pane.scale;
  const wide = (pane, node) =>
    pane.tree.level[node] < pane.tree.level[pane.zoom] ? scroll.clientWidth : pane.tree.total[run()][node] * pane.scale;
  const top = (pane, level) => pane.top + ROW * (pane.up ? pane.rows.length - 1 - level : level);

  const measure = () => {
    const width = scroll.clientWidth;
    const height = scroll.clientHeight;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio); // of the window alone: no browser draws one of any height
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    let y = 0;
    for (const pane of panes) {
      layOut(pane, width);
      pane.top = y;
      y += ROW * pane.rows.length + (panes.length > 1 ? 2 : 0);
    }
    $("space").style.height = Math.max(y, height) + "px";
  };

  // ---- search, by name
  let matches; // by number of name; undefined: nothing is searched for
  let found = [0, 0];
  const search = () => {
    matches = undefined;
    $("search").classList.remove("wrong");
    $("found").textContent = "";
    if (!state.q) return;
    const between = state.q.match(/^\/(.+)\/$/s);
    let expression;
    try {
      expression = new RegExp(between ? between[1] : state.q.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");
    } catch {
      $("search").classList.add("wrong");
      $("found").textContent = "not a regular expression";
      return;
    }
    matches = Uint8Array.from(names, (name) => expression.test(name));
    const pane = state.v === "sandwich" ? {tree, zoom: 0} : panes[0];
    const total = pane.tree.total[run()];
    let sum = 0;
    for (let node = pane.zoom; node < pane.tree.end[pane.zoom];) {
      const match = node > 0 && matches[pane.tree.name[node]];
      if (match) sum += total[node];
      node = match ? pane.tree.end[node] : node + 1;
    }
    const count = matches.reduce((all, one) => all + one, 0);
    found = [sum, total[pane.zoom]];
    $("found").textContent = percent(...found) + " of " + (pane.zoom > 0 ? "this" : "all") + ", " + amount(sum) + ", in " +
      count + (count === 1 ? " function" : " functions");
  };

  // ---- drawing
  let letter = 7;
  const draw = () => {
    const width = scroll.clientWidth;
    const height = scroll.clientHeight;
    const from = scroll.scrollTop;
    const steps = (head.lightSteps.length - 1) / 2;
    pen.fillStyle = shown("back");
    pen.fillRect(0, 0, width, height);
    pen.font = "11.5px ui-monospace,'DejaVu Sans Mono',monospace";
    pen.textBaseline = "middle";
    letter = pen.measureText("M").width;
    for (const pane of panes) {
      const of = pane.tree;
      for (let level = 0; level < pane.rows.length; level++) {
        const y = top(pane, level) - from;
        if (y > height || y + ROW < 0) continue;
        const above = level < of.level[pane.zoom];
        pen.globalAlpha = above ? 0.55 : 1;
        for (const node of pane.rows[level] || []) {
          const name = of.name[node];
          const x = left(pane, node);
          const w = wide(pane, node);
          let colour = colours.names[name];
          if (head.differential) {
            const by = change(of, node);
            const step = by === 0 || mostChange === 0 ? 0 : Math.ceil(steps * Math.sqrt(Math.min(1, Math.abs(by) / mostChange)));
            colour = colours.steps[by < 0 ? steps - step : steps + step];
          } else if (level === 0 && of.name[0] === tree.name[0]) {
            colour = colours.thread[2];
          } else if (threads[name] && (of === tree ? level === 1 : of.end[node] === node + 1)) {
            colour = colours.thread[head.shades[name]];
          }
          if (matches) {
            pen.globalAlpha = above || !matches[name] ? 0.3 : 1;
            if (matches[name]) colour = shown("found");
          }
          pen.fillStyle = colour;
          pen.fillRect(x, y, w > 3 ? w - 0.7 : w, ROW - 1);
          if (w < 5 * letter) continue;
          const room = Math.floor((w - 6) / letter);
          const text = names[name];
          if (matches) pen.globalAlpha = matches[name] ? 1 : 0.6;
          pen.fillStyle = matches && matches[name] ? "#fff" : matches ? shown("text") : INK;
          pen.fillText(text.length <= room ? text : text.slice(0, room - 2) + "..", x + 4, y + ROW / 2, w - 6);
        }
      }
    }
    pen.globalAlpha = 1;
    if (selected) {
      const {pane, node} = selected;
      pen.strokeStyle = shown("text");
      pen.lineWidth = 2;
      pen.strokeRect(left(pane, node) + 1, top(pane, pane.tree.level[node]) - from + 1, Math.max(1, wide(pane, node) - 2), ROW - 3);
    }
  };

  // ---- what is under the pointer
  const at = (clientX, clientY) => {
    const box = canvas.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top + scroll.scrollTop;
    for (const pane of panes) {
      const row = Math.floor((y - pane.top) / ROW);
      if (row < 0 || row >= pane.rows.length) continue;
      const level = pane.up ? pane.rows.length - 1 - row : row;
      const nodes = pane.rows[level] || [];
      let low = 0;
      for (let high = nodes.length; low < high;) {
        const middle = (low + high) >> 1;
        if (left(pane, nodes[middle]) <= x) low = middle + 1;
        else high = middle;
      }
      const node = nodes[low - 1];
      if (node !== undefined && x < left(pane, node) + Math.max(wide(pane, node), 1)) return {pane, node};
    }
    return undefined;
  };
  const stackOf = ({pane, node}) => { // the innermost first
    const path = [];
    for (; node >= 0; node = pane.tree.parent[node]) if (node > 0 || pane.tree.name[0] !== tree.name[0]) path.push(names[pane.tree.name[node]]);
    return pane.tree === tree || pane === panes[1] ? path : path.reverse();
  };
  const words = ({pane, node}) => {
    const of = pane.tree;
    const r = run();
    const lines = [names[of.name[node]], amount(of.total[r][node]) + ", " + percent(of.total[r][node], wholes[r]) + " of all"];
    if (pane.zoom > 0 && node > pane.zoom) lines[1] += ", " + percent(of.total[r][node], of.total[r][pane.zoom]) + " of this";
    if (of.self[r][node] > 0 && of === tree) lines[1] += "; itself " + amount(of.self[r][node]) + ", " + percent(of.self[r][node], wholes[r]);
    if (head.differential)
      lines.push("before " + percent(of.total[0][node], wholes[0]) + ", after " + percent(of.total[1][node], wholes[1]) + ": " +
        points(change(of, node)));
    return lines;
  };
  const say = () => {
    $("copies").hidden = !selected;
    $("said").textContent = selected ? words(selected).join(": ") : "";
    $("sandwich").disabled = state.v !== "sandwich" && !(selected && nameToOpen());
  };
  const nameToOpen = () => {
    const name = names[selected.pane.tree.name[selected.node]];
    return selected.pane.tree === tree && selected.node === 0 ? "" : name;
  };
  const select = (one) => {
    selected = one;
    if (one) {
      const y = top(one.pane, one.pane.tree.level[one.node]);
      if (y < scroll.scrollTop) scroll.scrollTop = y;
      if (y + ROW > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = y + ROW - scroll.clientHeight;
    }
    say();
    draw();
  };
  const open = ({pane, node}) => {
    if (state.v === "sandwich") go({f: names[pane.tree.name[node]], z: ""});
    else go({z: node > 0 ? String(node) : ""});
  };

  const tip = $("tip");
  const point = (event) => {
    const one = event.pointerType === "touch" ? undefined : at(event.clientX, event.clientY);
    tip.hidden = !one;
    canvas.style.cursor = one ? "pointer" : "default";
    if (!one) return;
    tip.textContent = words(one).join("\n");
    const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18;
    tip.style.left = Math.max(8, x) + "px";
    tip.style.top = (below + tip.offsetHeight < innerHeight ? below : Math.max(8, event.clientY - tip.offsetHeight - 10)) + "px";
  };
  let touched = false;
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  canvas.addEventListener("pointerdown", (event) => (touched = event.pointerType === "touch"));
  canvas.addEventListener("click", (event) => {
    const one = at(event.clientX, event.clientY);
    const again = one && selected && selected.pane === one.pane && selected.node === one.node;
    select(one);
    if (one && (!touched || again)) open(one);
  });

  // ---- the table of functions
  let hot;
  let order = {column: 0, down: true};
  const columns = head.differential
    ? [["Self", (one) => one.self[1] / wholes[1] - (head.scale * one.self[0]) / wholes[1], points],
      ["Total", (one) => one.total[1] / wholes[1] - (head.scale * one.total[0]) / wholes[1], points],
      ["After", (one) => one.total[1], (part) => percent(part, wholes[1])]]
    : [["Self", (one) => one.self[0], (part) => percent(part, wholes[0])],
      ["Total", (one) => one.total[0], (part) => percent(part, wholes[0])]];
  const tabulate = () => {
    $("functions").hidden = !state.t;
    if (!state.t) return;
    hot = hot || hotFunctions(tree, names.length, head.threads ? 2 : 1);
    const [, value] = columns[order.column] || [];
    const listed = hot.filter((one) => !matches || matches[one.name]);
    listed.sort((a, b) => {
      if (!value) return tree.rank[a.name] - tree.rank[b.name];
      const size = (one) => (head.differential ? Math.abs(value(one)) : value(one));
      return size(b) - size(a) || tree.rank[a.name] - tree.rank[b.name];
    });
    if (!order.down) listed.reverse();
    const titles = document.querySelector("thead tr");
    titles.replaceChildren();
    [...columns.map(([title]) => title), "Function"].forEach((title, column) => {
      const cell = element(titles, "th");
      const by = order.column === column;
      cell.scope = "col";
      cell.ariaSort = by ? (order.down === column < columns.length ? "descending" : "ascending") : "none";
      element(cell, "button", title + (by ? (order.down ? " \u25be" : " \u25b4") : "")).onclick = () => {
        order = {column, down: by ? !order.down : true};
        tabulate();
      };
    });
    const body = document.querySelector("tbody");
    body.replaceChildren();
    for (const one of listed.slice(0, ROWS_OF_TABLE)) {
      const row = element(body, "tr");
      row.tabIndex = 0;
      row.title = "itself " + amount(one.self[run()]) + ", with what it calls " + amount(one.total[run()]) + "; opens its callers and callees";
      for (const [, of, text] of columns) element(row, "td", text(of(one)));
      element(row, "td", names[one.name]);
      row.onclick = () => go({v: "sandwich", f: names[one.name], z: ""});
      row.onkeydown = (event) => event.key === "Enter" && row.onclick();
    }
    const rest = listed.length - ROWS_OF_TABLE;
    $("more").textContent = rest > 0 ? "and " + rest + " more: search for their names" : "";
  };

  // ---- from the state to the page
  const apply = () => {
    const before = state;
    state = read();
    if (state.v === "sandwich" && !names.includes(state.f)) state = {...state, v: "", f: ""};
    const other = ["v", "f", "z", "i", "w"].some((key) => before[key] !== state[key]);
    $("back").disabled = past.length === 0;
    $("reset").disabled = fragment({...state, t: "", i: "", w: "", from: "", to: ""}) === "#";
    for (const [id, view] of [["flame", ""], ["leaf", "leaf"], ["sandwich", "sandwich"]])
      $(id).ariaPressed = String(state.v === view);
    $("invert").ariaPressed = String(Boolean(state.i));
    $("invert").disabled = state.v === "sandwich";
    $("table").ariaPressed = String(Boolean(state.t));
    $("run").ariaPressed = String(Boolean(state.w));
    if ($("search").value !== state.q) $("search").value = state.q;
    $("functions").hidden = !state.t; // takes of the width
    if (other || panes.length === 0) {
      panes = makePanes();
      selected = undefined;
      if (state.v === "sandwich") selected = {pane: panes[1], node: 0};
      else if (panes[0].zoom > 0) selected = {pane: panes[0], node: panes[0].zoom};
      tip.hidden = true;
      mostChange = 0;
      if (head.differential) for (let node = 0; node < tree.size; node++) mostChange = Math.max(mostChange, Math.abs(change(tree, node)));
    }
    measure();
    if (other) scroll.scrollTop = panes.length > 1 ? panes[1].top - scroll.clientHeight / 2 : panes[0].up ? $("space").offsetHeight : 0;
    search();
    tabulate();
    say();
    draw();
  };

  // ---- controls
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // not permitted for a page from a file, in some browsers
      const area = element(document.body, "textarea");
      area.value = text;
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    $("said").textContent = "copied: " + text.split("\n")[0] + (text.includes("\n") ? " and what called it" : "");
  };
  const copyName = () => selected && copy(names[selected.pane.tree.name[selected.node]]);
  const copyStack = () => selected && copy(stackOf(selected).join("\n"));
  const back = () => {
    if (past.length === 0) return;
    location.replace(past.pop());
    apply();
  };
  const reset = () => go({v: "", f: "", z: "", q: ""});
  const openSandwich = () => selected && nameToOpen() && go({v: "sandwich", f: nameToOpen(), z: ""});
  const swap = (key) => go({[key]: state[key] ? "" : "1"});
  const view = (v) => go({v, f: "", z: ""});
  $("flame").onclick = () => view("");
  $("leaf").onclick = () => view("leaf");
  $("sandwich").onclick = openSandwich;
  $("invert").onclick = () => swap("i");
  $("table").onclick = () => swap("t");
  $("run").onclick = () => swap("w");
  $("run").hidden = runs < 2;
  $("back").onclick = back;
  $("reset").onclick = reset;
  $("keys").onclick = () => $("help").showModal();
  $("copy-name").onclick = copyName;
  $("copy-stack").onclick = copyStack;
  $("search").oninput = () => go({q: $("search").value}, {quietly: true});
  scroll.addEventListener("scroll", () => {
    tip.hidden = true;
    draw();
  });

  // Up and down follow the picture; left and right stay in the row.
  const step = (dx, dy) => {
    if (!selected) return select({pane: panes[panes.length - 1], node: panes[panes.length - 1].zoom});
    const {pane, node} = selected;
    const level = pane.tree.level[node];
    if (dx !== 0) {
      const row = pane.rows[level];
      const next = row[row.indexOf(node) + dx];
      return next === undefined ? undefined : select({pane, node: next});
    }
    const away = dy < 0 === pane.up; // from the root
    const other = panes.find((one) => one !== pane);
    if (!away && node === 0) return other ? select({pane: other, node: 0}) : undefined;
    if (!away) return select({pane, node: pane.tree.parent[node]});
    const total = pane.tree.total[run()];
    const next = (pane.rows[level + 1] || []).filter((one) => pane.tree.parent[one] === node);
    if (next.length > 0) select({pane, node: next.reduce((most, one) => (total[one] > total[most] ? one : most))});
  };
  const keys = {ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1), ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0),
    Enter: () => selected && open(selected), Backspace: back, 0: reset, f: () => view(""), r: () => view("leaf"), s: openSandwich,
    i: () => state.v !== "sandwich" && swap("i"), t: () => swap("t"), w: () => runs > 1 && swap("w"), c: copyStack, n: copyName,
    "/": () => $("search").focus(), "?": () => $("help").showModal()};
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const typing = event.target === $("search");
    if (event.key === "Escape") {
      if (!typing && selected) return select(undefined);
      canvas.focus();
      return go({q: ""}, {quietly: true});
    }
    const on = event.target.tagName;
    if (typing || !Object.hasOwn(keys, event.key) || (event.key === "Enter" && (on === "BUTTON" || on === "TR"))) return;
    event.preventDefault();
    keys[event.key]();
  });
  addEventListener("hashchange", () => {
    const {from, to} = read();
    if (from !== state.from || to !== state.to) location.reload();
    else if (fragment(read()) !== fragment(state)) apply();
  });
  dark.addEventListener("change", () => {
    paint();
    draw();
  });
  new ResizeObserver(() => {
    measure();
    draw();
  }).observe(scroll);

  $("title").textContent = head.title;
  for (const note of head.notes) element($("notes"), "div", note);
  if (part && head.times) {
    const times = [part.from, part.to].map((at) => clockText(head.second, at)).join(" to ");
    element($("notes"), "div", "of these only " + times + ": " + amount(tree.total[0][0])).className = "part";
  }
  for (const loss of head.losses) element($("notes"), "div", loss).className = "loss";
  $("empty").hidden = wholes[runs - 1] > 0;
  $("empty").textContent = "no stacks";
  paint();
  apply();
  // For scripts, as those that test the page: each box that is drawn.
  window.flameGraph = {boxes: () => panes.flatMap((pane, number) => pane.rows.flatMap((row, level) => row.map((node) => ({
    pane: number, level, name: names[pane.tree.name[node]], weight: pane.tree.total[run()][node],
    x: left(pane, node) + canvas.getBoundingClientRect().left, width: wide(pane, node),
    y: top(pane, level) - scroll.scrollTop + canvas.getBoundingClientRect().top + ROW / 2})))), found: () => found};
})();
