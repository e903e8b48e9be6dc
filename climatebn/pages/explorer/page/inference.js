// Exact conditioning of a normal distribution on nodes and means of regions, A Z = e, all in sd of the data:
//   mean = μ + ΣAᵀ (AΣAᵀ)⁻¹ (e − Aμ),   variance = diag Σ − diag(ΣAᵀ (AΣAᵀ)⁻¹ AΣ).
// The same steps, limits and words as climatebn.network.condition.
"use strict";

/**
 * One piece of evidence: a node, or the mean of nodes with weights for values in the units of the data.
 * @typedef {{key: string, label: string, numbers: number[], weights: number[], node: number, value: number}} Evidence
 * @typedef {{mean: Float64Array, sd: Float64Array}} Moments
 * @typedef {{single: number, joint: number, singular: number}} Limits
 */

/** Σ = (I − Bᵀ)⁻¹ D (I − B)⁻¹ of a network, known by its arcs: a product with Σ is two passes over them. */
class Factor {
  /**
   * @param {{start: Int32Array, parent: Int32Array}} arcs @param {Float64Array} weights @param {Float64Array} residual
   */
  constructor(arcs, weights, residual) {
    const size = residual.length;
    this.order = topologicalOrder(arcs, size);
    const place = new Int32Array(size);
    this.order.forEach((node, at) => (place[node] = at));
    this.start = new Int32Array(size + 1);
    this.parent = new Int32Array(weights.length);
    this.weight = new Float64Array(weights.length);
    this.residual = Float64Array.from(this.order, (node) => residual[node]);
    let filled = 0;
    this.order.forEach((node, at) => {
      for (let k = arcs.start[node]; k < arcs.start[node + 1]; k++, filled++) {
        this.parent[filled] = place[arcs.parent[k]];
        this.weight[filled] = weights[k];
      }
      this.start[at + 1] = filled;
    });
  }

  /** Σ times a column. @param {Float64Array} column @returns {Float64Array} */
  product(column) {
    const { order, start, parent, weight, residual } = this;
    const size = order.length;
    const work = new Float64Array(size);
    for (let at = 0; at < size; at++) work[at] = column[order[at]];
    for (let at = size - 1; at >= 0; at--) {
      const value = work[at];
      if (value !== 0) for (let k = start[at], end = start[at + 1]; k < end; k++) work[parent[k]] += weight[k] * value;
    }
    const result = new Float64Array(size);
    for (let at = 0; at < size; at++) {
      let value = work[at] * residual[at];
      for (let k = start[at], end = start[at + 1]; k < end; k++) value += weight[k] * work[parent[k]];
      work[at] = value;
      result[order[at]] = value;
    }
    return result;
  }
}

/** Nodes so that parents come before their children. */
function topologicalOrder({ start, parent }, size) {
  const waiting = new Int32Array(size); // parents that are not yet in the order
  const first = new Int32Array(size + 1); // where the children of a node begin
  for (const node of parent) first[node + 1] += 1;
  for (let node = 0; node < size; node++) first[node + 1] += first[node];
  const filled = first.slice();
  const children = new Int32Array(parent.length);
  const order = new Int32Array(size);
  let ready = 0;
  for (let child = 0; child < size; child++) {
    waiting[child] = start[child + 1] - start[child];
    for (let k = start[child]; k < start[child + 1]; k++) children[filled[parent[k]]++] = child;
    if (waiting[child] === 0) order[ready++] = child;
  }
  for (let at = 0; at < ready; at++) {
    for (let k = first[order[at]]; k < first[order[at] + 1]; k++) {
      if (--waiting[children[k]] === 0) order[ready++] = children[k];
    }
  }
  return order;
}

/**
 * A normal distribution that can multiply its covariance with a column; it keeps the columns asked last.
 */
class Normal {
  /**
   * @param {(column: Float64Array) => Float64Array} product
   * @param {{mean: Float64Array, variances: Float64Array, centre: Float64Array, spread: Float64Array}} parts
   */
  constructor(product, { mean, variances, centre, spread }) {
    Object.assign(this, { product, mean, variances, centre, spread, kept: new Map() });
  }

  /** The row of A of a piece of evidence, in sd: numbers of nodes and their weights. @param {Evidence} one */
  row(one) {
    return one.node >= 0 ? [1] : one.weights.map((weight, k) => weight * this.spread[one.numbers[k]]);
  }

  /** Σ times that row. @param {Evidence} one @returns {Float64Array} */
  column(one) {
    let column = this.kept.get(one.key);
    if (!column) {
      const unit = new Float64Array(this.mean.length);
      const row = this.row(one);
      one.numbers.forEach((number, k) => (unit[number] = row[k]));
      column = this.product(unit);
      if (this.kept.size >= 16) this.kept.delete(this.kept.keys().next().value);
      this.kept.set(one.key, column);
    }
    return column;
  }

  /** Correlation of every node with a piece of evidence. @param {Evidence} one @returns {Float64Array} */
  correlations(one) {
    const column = this.column(one);
    const sd = Math.sqrt(weighted(one.numbers, this.row(one), column));
    return column.map((value, i) => value / (sd * Math.sqrt(this.variances[i])));
  }

  /**
   * Mean and sd of every node given the evidence. @param {Evidence[]} evidence
   * @param {"sd"|"data"} units of evidence and answer @param {Limits} limits @returns {Moments}
   */
  condition(evidence, units, limits) {
    const size = this.mean.length;
    const rows = evidence.map((one) => this.row(one));
    const columns = evidence.map((one) => this.column(one));
    const covariance = evidence.map((one, i) => columns.map((column) => weighted(one.numbers, rows[i], column)));
    const departure = evidence.map((one, i) => {
      const expected = weighted(one.numbers, rows[i], this.mean);
      const target = this.target(one, units, expected, Math.sqrt(Math.max(covariance[i][i], 0)));
      const away = one.node >= 0 ? target : (target - expected) / Math.sqrt(covariance[i][i]);
      requirePossible(one.label, away, limits);
      return target - expected;
    });
    const root = evidence.length ? inverseRoot(evidence, covariance, departure, limits) : [];
    const pull = root.map((_, k) => departure.reduce((sum, value, i) => sum + root[i][k] * value, 0));
    const mean = this.mean.slice();
    const sd = this.variances.slice();
    for (let k = 0; k < root.length; k++) {
      const response = new Float64Array(size);
      columns.forEach((column, j) => addTimes(response, column, root[j][k]));
      addTimes(mean, response, pull[k]);
      for (let i = 0; i < size; i++) sd[i] -= response[i] * response[i];
    }
    for (let i = 0; i < size; i++) sd[i] = Math.sqrt(Math.max(sd[i], 0));
    for (const one of evidence) if (one.node >= 0) sd[one.node] = 0;
    if (units === "data") {
      for (let i = 0; i < size; i++) {
        mean[i] = mean[i] * this.spread[i] + this.centre[i];
        sd[i] *= this.spread[i];
      }
    }
    for (const one of evidence) if (one.node >= 0) mean[one.node] = one.value;
    return { mean, sd };
  }

  /** The value that a quantity takes, in sd of the data (nodes) or as Σ a Z (regions). */
  target(one, units, expected, sd) {
    if (one.node >= 0) {
      return units === "sd" ? one.value : (one.value - this.centre[one.node]) / this.spread[one.node];
    }
    return units === "sd" ? expected + one.value * sd : one.value - weighted(one.numbers, one.weights, this.centre);
  }
}

/** Add a column times a number, in place. @param {Float64Array} total @param {Float64Array} column */
function addTimes(total, column, times) {
  for (let i = 0; i < total.length; i++) total[i] += column[i] * times;
}

/** Σ weights[k] · values[numbers[k]] */
function weighted(numbers, weights, values) {
  let sum = 0;
  for (let k = 0; k < numbers.length; k++) sum += weights[k] * values[numbers[k]];
  return sum;
}

/** @param {string} label @param {number} away in sd @param {Limits} limits */
function requirePossible(label, away, limits) {
  if (!(Math.abs(away) <= limits.single)) {
    throw new Error(
      `evidence on ${label} is ${signed(away, 1)} standard deviations from its mean; the limit is ±${limits.single}`,
    );
  }
}

/** W with W Wᵀ = covariance⁻¹; an error where the values contradict each other. @returns {number[][]} */
function inverseRoot(evidence, covariance, departure, limits) {
  const sd = covariance.map((row, i) => Math.sqrt(row[i]));
  const { values, vectors } = eigen(covariance.map((row, i) => row.map((value, j) => value / (sd[i] * sd[j]))));
  const root = vectors.map((row, i) =>
    row.map((entry, k) => entry / Math.sqrt(Math.max(values[k], limits.singular)) / sd[i]),
  );
  const precision = root.map((row) => root.map((other) => row.reduce((sum, entry, k) => sum + entry * other[k], 0)));
  let worst = { pull: 0 };
  precision.forEach((row, i) => {
    const own = 1 / Math.sqrt(row[i]);
    const pull = row.reduce((sum, entry, j) => sum + entry * departure[j], 0) * own;
    if (Math.abs(pull) > Math.abs(worst.pull)) worst = { pull, own, i };
  });
  if (Math.abs(worst.pull) > limits.joint) {
    const implied = departure[worst.i] - worst.pull * worst.own;
    throw new Error(
      `evidence is jointly impossible: the other values leave ${evidence[worst.i].label} at ` +
        `${signed(implied, 2)} ± ${worst.own.toPrecision(1)} sd from its mean, not at ` +
        `${signed(departure[worst.i], 2)}; remove one of them`,
    );
  }
  return root;
}

/** Eigenvalues and eigenvectors (as columns) of a small symmetric matrix, by Jacobi's rotations. */
function eigen(matrix) {
  const a = matrix.map((row) => row.slice());
  const size = a.length;
  const vectors = a.map((_, i) => a.map((__, j) => Number(i === j)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < size; p++) for (let q = 0; q < p; q++) off += a[p][q] * a[p][q];
    if (off < 1e-30) break;
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) {
        if (a[p][q] === 0) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (const rows of [a, vectors]) {
          for (const row of rows) {
            const value = row[p];
            row[p] = c * value - s * row[q];
            row[q] = s * value + c * row[q];
          }
        }
        for (let k = 0; k < size; k++) {
          const value = a[p][k];
          a[p][k] = c * value - s * a[q][k];
          a[q][k] = s * value + c * a[q][k];
        }
      }
    }
  }
  return { values: a.map((row, i) => row[i]), vectors };
}

/** P(X ≥ threshold) and P(X ≤ −threshold). @param {Moments} moments @returns {{upper: Float64Array, lower: Float64Array}} */
function probabilities({ mean, sd }, threshold) {
  const [upper, lower] = [new Float64Array(mean.length), new Float64Array(mean.length)];
  for (let i = 0; i < mean.length; i++) {
    const [above, below] = [mean[i] - threshold, -mean[i] - threshold];
    upper[i] = sd[i] === 0 ? Number(above >= 0) : normalBelow(above / sd[i]);
    lower[i] = sd[i] === 0 ? Number(below >= 0) : normalBelow(below / sd[i]);
  }
  return { upper, lower };
}
