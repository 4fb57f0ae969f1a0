"use strict";
// What the scripts of several pages have in common: elements, and numbers as text has them.

const element = (parent, name, text) => {
  const made = parent.appendChild(document.createElement(name));
  if (text !== undefined) made.textContent = text;
  return made;
};

const digits = (number) => (number < 10 ? number.toFixed(2) : number < 100 ? number.toFixed(1) : number.toFixed(0));
const scaled = (number, units, step) => {
  let i = 0;
  for (; number >= step - 0.5 && i + 1 < units.length; i++) number /= step;
  return (i === 0 || (step === 1024 && Number.isInteger(number)) ? String(Math.round(number)) : digits(number)) + units[i];
};
const timeText = (ns) => scaled(ns, ["ns", "us", "ms", "s"], 1000);
const bytesText = (bytes) => scaled(bytes, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"], 1024);
const percent = (part, whole) => {
  const share = whole > 0 ? (100 * part) / whole : 0;
  if (share > 0 && share < 0.05) return "<0.1%";
  return (share < 100 ? Math.min(share, 99.9) : share).toFixed(1) + "%";
};

// The time of day, `parts` of 1/32 s after a second of the day.
const clockText = (second, parts) => {
  const ms = Math.floor(((second + Math.floor(parts / 32)) % 86400) * 1000 + ((parts % 32) * 1000) / 32);
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  return two(ms / 3600000) + ":" + two((ms / 60000) % 60) + ":" + two((ms / 1000) % 60) + "." + String(ms % 1000).padStart(3, "0");
};

const inflate = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
