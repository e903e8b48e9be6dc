// Numbers and arcs that Python packed as text: see packing.py.
"use strict";

/** @typedef {{width: number, scale: number, text: string}} Packed */

/** The value of each letter: those of ASCII without the quotation mark, the backslash and <, in order. */
const LETTER_VALUES = new Uint8Array(127);
for (let code = 33, value = 0; code < 127; code++) {
  if (code !== 34 && code !== 60 && code !== 92) LETTER_VALUES[code] = value++;
}

/** @param {string} text deflated bytes, 13 bits in two letters @returns {Uint8Array} */
function bytesOf(text) {
  const bytes = new Uint8Array(Math.floor((13 * text.length) / 16));
  let hold = 0;
  let held = 0;
  for (let k = 0, filled = 0; k < text.length; k += 2) {
    hold = (hold << 13) | (91 * LETTER_VALUES[text.charCodeAt(k)] + LETTER_VALUES[text.charCodeAt(k + 1)]);
    for (held += 13; held >= 8; held -= 8) bytes[filled++] = hold >> (held - 8);
    hold &= (1 << held) - 1;
  }
  return inflate(bytes);
}

/** @param {Packed} packed @returns {Float64Array} */
function unpackNumbers({ width, scale, text }) {
  const bytes = bytesOf(text);
  const count = bytes.length / width;
  const values = new Float64Array(count);
  if (width === 8) {
    const placed = new Uint8Array(values.buffer);
    for (let i = 0; i < bytes.length; i++) placed[8 * (i % count) + Math.floor(i / count)] = bytes[i];
    return values;
  }
  for (let i = 0; i < count; i++) {
    let whole = (bytes[(width - 1) * count + i] << 24) >> 24; // the uppermost byte carries the sign
    for (let k = width - 2; k >= 0; k--) whole = 256 * whole + bytes[k * count + i];
    values[i] = whole * scale;
  }
  return values;
}

/**
 * Arcs by child: the parents of node i are parent[start[i]] … parent[start[i + 1] - 1].
 * @param {number} size @param {string} text
 * @returns {{start: Int32Array, parent: Int32Array}}
 */
function unpackArcs(size, text) {
  const bytes = bytesOf(text);
  const start = new Int32Array(size + 1);
  const parent = [];
  let at = 0;
  const next = () => {
    let value = 0;
    let shift = 0;
    while (bytes[at] > 127) {
      value |= (bytes[at++] & 127) << shift;
      shift += 7;
    }
    return value | (bytes[at++] << shift);
  };
  for (let child = 0; child < size; child++) {
    let last = 0;
    for (let left = next(); left > 0; left--) parent.push((last += next()));
    start[child + 1] = parent.length;
  }
  return { start, parent: Int32Array.from(parent) };
}
