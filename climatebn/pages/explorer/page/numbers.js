// Numbers and arcs that Python packed as text: see packing.py.
"use strict";

/** @typedef {{width: number, scale: number, text: string}} Packed */

/** @param {string} text base64 @returns {Uint8Array} */
function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** @param {Packed} packed @returns {Float64Array} */
function unpackNumbers({ width, scale, text }) {
  const bytes = bytesOf(text);
  if (width === 8) return new Float64Array(bytes.buffer);
  const values = new Float64Array(bytes.length / width);
  const unused = 32 - 8 * width; // shifted up and down again, so that the sign fills the upper bytes
  for (let i = 0; i < values.length; i++) {
    let whole = 0;
    for (let k = 0; k < width; k++) whole |= bytes[i * width + k] << (8 * k);
    values[i] = ((whole << unused) >> unused) * scale;
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
