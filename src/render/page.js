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
