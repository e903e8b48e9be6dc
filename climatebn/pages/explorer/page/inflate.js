// Deflate undone (RFC 1951), so that a page carries many networks in a few megabytes. The browser's own way is
// asynchronous; a page that is loaded must be able to answer.
"use strict";

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST = 15; // bits of a code

/** For each 15 bits that may come: the symbol they begin with (times 16) and how many bits it has. */
function codeTable(lengths) {
  const table = new Uint16Array(1 << LONGEST);
  let code = 0;
  for (let length = 1; length <= LONGEST; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      let reversed = 0; // codes come with their highest bit first
      for (let k = 0; k < length; k++) reversed |= ((code >> k) & 1) << (length - 1 - k);
      for (let at = reversed; at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
      code += 1;
    }
  }
  return table;
}

/** @param {Uint8Array} source @returns {Uint8Array} */
function inflate(source) {
  let out = new Uint8Array(4 * source.length + 512);
  let filled = 0;
  let at = 0;
  let hold = 0; // bits that were read and not yet used
  let held = 0;
  const need = (count) => {
    for (; held < count; held += 8) hold |= (source[at++] || 0) << held;
  };
  const bits = (count) => {
    need(count);
    const value = hold & ((1 << count) - 1);
    hold >>>= count;
    held -= count;
    return value;
  };
  const symbolOf = (table) => {
    need(LONGEST);
    const entry = table[hold & 0x7fff];
    hold >>>= entry & 15;
    held -= entry & 15;
    return entry >> 4;
  };
  const room = (count) => {
    if (filled + count <= out.length) return;
    const larger = new Uint8Array(2 * out.length + count);
    larger.set(out);
    out = larger;
  };
  const stored = () => {
    at -= held >> 3;
    hold = held = 0;
    const count = source[at] | (source[at + 1] << 8);
    room(count);
    out.set(source.subarray(at + 4, at + 4 + count), filled);
    filled += count;
    at += 4 + count;
  };
  const coded = (literals, distances) => {
    for (let symbol = symbolOf(literals); symbol !== 256; symbol = symbolOf(literals)) {
      room(258);
      if (symbol < 256) {
        out[filled++] = symbol;
        continue;
      }
      const count = LENGTH_BASE[symbol - 257] + bits(LENGTH_BITS[symbol - 257]);
      const code = symbolOf(distances);
      const more = code < 4 ? 0 : (code >> 1) - 1;
      const back = code < 4 ? code + 1 : ((2 | (code & 1)) << more) + 1 + bits(more);
      for (let k = 0; k < count; k++, filled++) out[filled] = out[filled - back];
    }
  };
  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) stored();
    else if (kind === 1) {
      const fixed = Array.from({ length: 288 }, (_, k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8));
      coded(codeTable(fixed), codeTable(new Array(30).fill(5)));
    } else coded(...ownTables(bits, symbolOf));
  }
  return out.subarray(0, filled);
}

/** The two tables that a block brings with it. */
function ownTables(bits, symbolOf) {
  const [literals, distances, codes] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
  const short = new Array(19).fill(0);
  for (let k = 0; k < codes; k++) short[CODE_ORDER[k]] = bits(3);
  const table = codeTable(short);
  const lengths = [];
  while (lengths.length < literals + distances) {
    const symbol = symbolOf(table);
    if (symbol < 16) lengths.push(symbol);
    else {
      const repeated = symbol === 16 ? lengths[lengths.length - 1] : 0;
      const count = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
      for (let k = 0; k < count; k++) lengths.push(repeated);
    }
  }
  return [codeTable(lengths.slice(0, literals)), codeTable(lengths.slice(literals))];
}
