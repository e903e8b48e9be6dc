// Numbers and evidence as people write them.
"use strict";

/** +1.5, −0.20 @param {number} value @param {number} digits */
function signed(value, digits) {
  if (!Number.isFinite(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}

/** 1.5, −0.2: without a sign when positive, at most so many digits */
function plain(value, digits = 2) {
  return Number.isFinite(value) ? String(Number(value.toFixed(digits))).replace("-", "−") : "–";
}

/** 16 %, <0.1 % @param {number} probability */
function percent(probability) {
  if (!Number.isFinite(probability)) return "–";
  const value = 100 * probability;
  if (value > 1e-6 && value < 0.1) return "<0.1 %";
  if (value < 100 - 1e-6 && value > 99.9) return ">99.9 %";
  return `${value.toFixed(value < 10 && value > 1e-6 ? 1 : 0)} %`;
}

/** Text that is never broken at a sign such as = or |. @param {string} text */
function unbroken(text) {
  return text.replace(/ ([=≥≤<>]) /g, "\u00a0$1\u00a0").replaceAll("|", "\u2060|\u2060");
}

/** An element with attributes, text and children; text is never read as HTML. */
function element(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function shape(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function dressed(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Latitude and longitude as people and this page write them: -5, 225 or 5°S 135°W; null if it is no place. */
function placeFrom(text) {
  const found = /^([-−]?[\d.]+)°?\s*([NS]?)(?:\s*[,;]\s*|\s+)([-−]?[\d.]+)°?\s*([EW]?)$/i.exec(text.trim());
  if (!found) return null;
  const number = (written, letter) => Number(written.replace("−", "-")) * (/[SW]/i.test(letter) ? -1 : 1);
  const [lat, lon] = [number(found[1], found[2]), number(found[3], found[4])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 360 ? [lat, lon] : null;
}
