// The standard normal distribution function: Taylor's series around the nearest point of a table, exact to 1e-15.
"use strict";

const STEPS = 64; // points of the table for each unit
const REACH = 9; // beyond it the probability is 0 or 1 to 1e-18
const TABLE = normalTable();

/** Φ and φ at k / STEPS; Φ by the series of Marsaglia (2004). */
function normalTable() {
  const below = new Float64Array(2 * REACH * STEPS + 1);
  const density = new Float64Array(below.length);
  for (let k = 0; k < below.length; k++) {
    const x = k / STEPS - REACH;
    density[k] = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    let term = Math.abs(x);
    let sum = term;
    for (let i = 3; term > 1e-18 * sum; i += 2) sum += term *= (x * x) / i;
    below[k] = 0.5 + Math.sign(x) * density[k] * sum;
  }
  return { below, density };
}

/** P(Z ≤ x) @param {number} x */
function normalBelow(x) {
  if (!(Math.abs(x) < REACH)) return x > 0 ? 1 : 0;
  const k = ((x + REACH) * STEPS + 0.5) | 0;
  const a = k / STEPS - REACH;
  const h = x - a;
  const a2 = a * a;
  const series =
    1 - (h / 2) * (a - (h / 3) * (a2 - 1 - (h / 4) * (a * (a2 - 3) - (h / 5) * (a2 * a2 - 6 * a2 + 3))));
  return TABLE.below[k] + TABLE.density[k] * h * series;
}
