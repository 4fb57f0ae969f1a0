// Each plot has a cursor, a cell, that pointer and arrow keys move; what it stands on is said beside it and below. All
// text is set as text: names come from strangers.
(() => {
  const plots = JSON.parse(document.getElementById("data").textContent);
  const answer = document.getElementById("answer");
  const tip = document.getElementById("tip");
  const words = (n) => n + (n === 1 ? " value" : " values");

  const place = (places, at) => {
    for (let i = 0; i < places.length; i++) {
      if (at >= places[i][0] && at < places[i][0] + places[i][1]) return i;
    }
    return -1;
  };

  document.querySelectorAll("g.map").forEach((map, index) => {
    const plot = plots[index];
    const top = Number(map.dataset.y);
    const counts = new Map();
    for (const cell of map.querySelectorAll("rect[data-n]")) {
      counts.set(cell.dataset.t + "," + cell.dataset.v, Number(cell.dataset.n));
    }
    const cursor = map.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("visibility", "hidden");
    let t = 0;
    let v = 0;

    const show = () => {
      const [x, width, time] = plot.times[t];
      const [y, height, value] = plot.values[v];
      const count = counts.get(t + "," + v) || 0;
      for (const [name, number] of Object.entries({x, y: y + top, width, height})) cursor.setAttribute(name, number);
      cursor.setAttribute("visibility", "visible");
      const said = time + ", " + value + ": " + words(count);
      if (answer.textContent !== plot.name + ", " + said) answer.textContent = plot.name + ", " + said;
      tip.textContent = time + "\n" + value + "\n" + words(count);
      tip.hidden = false;
      const box = cursor.getBoundingClientRect();
      const left = Math.min(box.right + 12, document.documentElement.clientWidth - tip.offsetWidth - 8);
      tip.style.left = (left < box.right ? Math.max(8, box.left - 12 - tip.offsetWidth) : left) + "px";
      tip.style.top = Math.max(8, box.top - tip.offsetHeight - 4) + "px";
    };

    const hide = () => {
      cursor.setAttribute("visibility", "hidden");
      tip.hidden = true;
    };

    map.addEventListener("pointermove", (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
      const time = place(plot.times, at.x);
      const value = place(plot.values, at.y - top);
      if (time < 0 || value < 0) return hide();
      t = time;
      v = value;
      show();
    });
    map.addEventListener("pointerleave", hide);
    map.addEventListener("blur", hide);
    // The keyboard begins where most values are.
    map.addEventListener("focus", () => {
      if (!map.matches(":focus-visible") || plot.times.length === 0) return;
      const best = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["0,0", 0])[0];
      [t, v] = best.split(",").map(Number);
      show();
    });
    map.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
        Home: [-Infinity, 0], End: [Infinity, 0], PageUp: [0, 8], PageDown: [0, -8]}[event.key];
      if (event.key === "Escape") hide();
      if (!step || plot.times.length === 0) return;
      event.preventDefault();
      t = Math.max(0, Math.min(plot.times.length - 1, t + step[0]));
      v = Math.max(0, Math.min(plot.values.length - 1, v + step[1]));
      show();
    });
  });

  // As a table, for those who cannot see the picture or want to copy from it; made when it is first opened.
  const details = document.querySelector("details");
  details.hidden = document.querySelector("rect[data-n]") === null;
  details.addEventListener("toggle", () => {
    const numbers = document.getElementById("numbers");
    if (numbers.firstChild) return;
    document.querySelectorAll("g.map").forEach((map, index) => {
      const plot = plots[index];
      const table = element(numbers, "table");
      element(table, "caption", plot.name);
      const head = element(element(table, "thead"), "tr");
      for (const title of ["time", "value", "count"]) element(head, "th", title).scope = "col";
      const body = element(table, "tbody");
      for (const cell of map.querySelectorAll("rect[data-n]")) {
        const row = element(body, "tr");
        element(row, "td", plot.times[cell.dataset.t][2]);
        element(row, "td", plot.values[cell.dataset.v][2]);
        element(row, "td", cell.dataset.n);
      }
    });
  });
})();
