// The models of a page and their answers: a network, an ensemble of networks, a correlation network, or a process
// on this machine that does the algebra.
"use strict";

const TAILS = ["upper", "lower"];
const SUPPORT = 0.3; // share of members that join a pair, from which it is drawn
const SUPPORT_WORDS = `share of members that have it (at least ${100 * SUPPORT} %)`;

/**
 * @typedef {{upper: Float64Array, lower: Float64Array}} ByTail
 * @typedef {{mean: Float64Array, sd: Float64Array, prior: ByTail, posterior: ByTail, difference: ByTail,
 *   low?: ByTail, high?: ByTail, agreement?: ByTail, members?: {upper: Float64Array[], lower: Float64Array[]},
 *   implied?: Float64Array, sample?: Float64Array}} Answer
 */

/** What moments before and after the evidence say. @returns {Answer} */
function answerOf(before, after, threshold) {
  const [prior, posterior] = [probabilities(before, threshold), probabilities(after, threshold)];
  const difference = {};
  for (const tail of TAILS) difference[tail] = lessened(posterior[tail].slice(), prior[tail]);
  return { ...after, prior, posterior, difference };
}

/** What all models share: their facts, and the correlations shown beside a place. */
class Model {
  constructor(facts, content) {
    const { label, note, units, dataUnits } = facts;
    Object.assign(this, { label, note, units, dataUnits, limits: content.limits });
    this.size = content.names.length;
    this.centre = unpackNumbers(facts.centre);
    this.spread = unpackNumbers(facts.spread);
  }
}

/** A Gaussian network. */
class NetworkModel extends Model {
  constructor(facts, content) {
    super(facts, content);
    const arcs = unpackArcs(this.size, facts.arcs);
    const weights = unpackNumbers(facts.weights);
    this.edges = edgesOf(arcs, weights, facts.strength ? unpackNumbers(facts.strength) : weights.map(Math.abs));
    this.edgeWords = facts.strength ? "log-likelihood that it adds" : "coefficient";
    const factor = new Factor(arcs, weights, unpackNumbers(facts.residual));
    this.normal = new Normal((column) => factor.product(column), {
      mean: unpackNumbers(facts.mean),
      variances: unpackNumbers(facts.variances),
      centre: this.centre,
      spread: this.spread,
    });
  }

  /** @param {Evidence[]} evidence @param {number} threshold @param {"sd"|"data"} units @returns {Answer} */
  answer(evidence, threshold, units) {
    const before = this.normal.condition([], units, this.limits);
    return answerOf(before, this.normal.condition(evidence, units, this.limits), threshold);
  }

  /** @param {Evidence} one */
  correlations(one) {
    return this.normal.correlations(one);
  }
}

/** Many networks: the answer of their mean correlation, with the spread of each member's own answer. */
class EnsembleModel extends Model {
  constructor(facts, content) {
    super(facts, content);
    this.settings = content.ensemble;
    const parts = {
      mean: new Float64Array(this.size),
      variances: new Float64Array(this.size).fill(1),
      centre: this.centre,
      spread: this.spread,
    };
    this.arcs = membersArcs(facts, this.size);
    const finer = unpackNumbers(facts.finer);
    const residual = unpackNumbers(facts.residual).map((value, node) => value / 4 ** finer[node]);
    this.members = this.arcs.map(({ arcs, weights }, k) => {
      const factor = new Factor(arcs, weights, residual.subarray(k * this.size, (k + 1) * this.size));
      return new Normal((column) => factor.product(column), parts);
    });
    this.edgeWords = SUPPORT_WORDS;
    this.joint = new Normal((column) => this.meanProduct(column), parts);
    this.joint.column = (one) => this.meanColumn(one);
  }

  /** Pairs that enough members join; found when they are first asked for. */
  get edges() {
    this.found ??= supported(this.arcs, this.size);
    return this.found;
  }

  meanProduct(column) {
    return meanOf(this.members.map((member) => member.product(column)));
  }

  /** The mean of the columns that members keep. */
  meanColumn(one) {
    if (!this.joint.kept.has(one.key)) {
      if (this.joint.kept.size >= 16) this.joint.kept.clear();
      this.joint.kept.set(one.key, meanOf(this.members.map((member) => member.column(one))));
    }
    return this.joint.kept.get(one.key);
  }

  /** @param {Evidence[]} evidence @param {number} threshold @param {"sd"|"data"} units @returns {Answer} */
  answer(evidence, threshold, units) {
    const before = this.joint.condition([], units, this.limits);
    const answer = answerOf(before, this.joint.condition(evidence, units, this.limits), threshold);
    if (!evidence.length) return answer;
    const after = this.members.map((member) => probabilities(member.condition(evidence, units, this.limits), threshold));
    Object.assign(answer, { low: {}, high: {}, agreement: {}, members: {} });
    for (const tail of TAILS) {
      const prior = answer.prior[tail];
      const centre = answer.difference[tail];
      const rows = after.map((posterior) => lessened(posterior[tail], prior));
      const width = spreadOf(rows).map((sd) => sd * this.settings.width);
      answer.members[tail] = rows;
      answer.low[tail] = centre.map((value, i) => value - width[i]);
      answer.high[tail] = centre.map((value, i) => value + width[i]);
      answer.agreement[tail] = agreementOf(centre, rows, this.settings.told);
    }
    return answer;
  }

  /** @param {Evidence} one */
  correlations(one) {
    return this.joint.correlations(one);
  }
}

/** Edges with their correlations; evidence reaches direct neighbours, and goes no further. */
class CorrelationModel extends Model {
  constructor(facts, content) {
    super(facts, content);
    const arcs = unpackArcs(this.size, facts.arcs);
    this.edges = edgesOf(arcs, unpackNumbers(facts.weights), unpackNumbers(facts.strength));
    for (const edge of this.edges) edge.directed = false;
    this.edgeWords = "log-likelihood that it adds";
    this.sample = new Sample(unpackNumbers(facts.rows), this.size, this.spread);
    this.normal = new Normal((column) => this.sample.product(column), {
      mean: new Float64Array(this.size),
      variances: new Float64Array(this.size).fill(1),
      centre: this.centre,
      spread: this.spread,
    });
    this.joined = Array.from({ length: this.size }, () => new Set());
    for (const { a, b } of this.edges) {
      this.joined[a].add(b);
      this.joined[b].add(a);
    }
  }

  /** @param {Evidence[]} evidence @param {number} threshold @param {"sd"|"data"} units @returns {Answer} */
  answer(evidence, threshold, units) {
    return answerOf(this.moments([], units), this.moments(evidence, units), threshold);
  }

  /** Each node given the evidence that reaches it. @returns {Moments} */
  moments(evidence, units) {
    const { mean, sd } = this.normal.condition([], units, this.limits);
    const whole = this.normal.condition(evidence, units, this.limits);
    const alike = new Map(); // nodes by the evidence that reaches them
    for (let node = 0; node < this.size; node++) {
      const fixed = evidence.some((one) => one.node === node);
      const told = evidence.filter((one) => fixed || this.reaches(one, node));
      const which = told.map((one) => one.key).join();
      if (!told.length) continue;
      if (!alike.has(which)) alike.set(which, { told, nodes: [] });
      alike.get(which).nodes.push(node);
    }
    for (const { told, nodes } of alike.values()) {
      const after = told.length === evidence.length ? whole : this.normal.condition(told, units, this.limits);
      for (const node of nodes) {
        mean[node] = after.mean[node];
        sd[node] = after.sd[node];
      }
    }
    return { mean, sd };
  }

  /** Whether a node takes part in a piece of evidence, or is joined to one that does. @param {Evidence} one */
  reaches(one, node) {
    return one.numbers.some((number) => number === node || this.joined[node].has(number));
  }

  /** What it knows of a place is the sample's correlation of an edge. @param {Evidence} one */
  correlations(one) {
    return this.sample.correlations(one).map((value, i) => (i === one.node ? 1 : this.reaches(one, i) ? value : 0));
  }
}

/** A model whose algebra is done by the process that serves the page. */
class ServedModel extends Model {
  constructor(facts, content, number) {
    super(facts, content);
    this.number = number;
    if (facts.members) this.edges = supported(membersArcs(facts, this.size), this.size);
    else {
      const weights = unpackNumbers(facts.weights);
      const strength = facts.strength ? unpackNumbers(facts.strength) : weights.map(Math.abs);
      this.edges = edgesOf(unpackArcs(this.size, facts.arcs), weights, strength);
      for (const edge of this.edges) edge.directed = facts.kind !== "correlation";
    }
    this.edgeWords = facts.members ? SUPPORT_WORDS : "log-likelihood that it adds";
  }

  /** @param {Evidence[]} evidence @returns {Promise<Answer>} */
  async answer(evidence, threshold, units, about = null) {
    const asked = {
      model: this.number,
      evidence: evidence.map(({ key, value }) => [key, value]),
      threshold,
      units,
      about: about ? about.key : null,
    };
    const reply = await fetch("answer", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(asked),
    });
    const told = await reply.json();
    if (!reply.ok) throw new Error(told.error);
    const read = (part) => (part && part.text !== undefined ? unpackNumbers(part) : part && mapValues(part, read));
    return mapValues(told, read);
  }
}

/** Rows of standardised data, one column a node of length 1: r = zᵀz. */
class Sample {
  constructor(rows, size, spread) {
    this.size = size;
    this.spread = spread;
    this.count = rows.length / size;
    const lengths = new Float64Array(size);
    rows.forEach((value, k) => (lengths[k % size] += value * value));
    this.rows = rows.map((value, k) => value / Math.sqrt(lengths[k % size]));
    this.kept = new Map();
  }

  /** The correlations times a column. @param {Float64Array} column @returns {Float64Array} */
  product(column) {
    const { rows, size } = this;
    const used = [...column.keys()].filter((i) => column[i] !== 0);
    const result = new Float64Array(size);
    for (let k = 0; k < this.count; k++) {
      const value = used.reduce((sum, i) => sum + column[i] * rows[k * size + i], 0);
      for (let i = 0; i < size; i++) result[i] += value * rows[k * size + i];
    }
    return result;
  }

  /** Correlation of every node with a piece of evidence. @param {Evidence} one @returns {Float64Array} */
  correlations(one) {
    if (this.kept.has(one.key)) return this.kept.get(one.key);
    const { rows, size } = this;
    const result = new Float64Array(size);
    let length = 0;
    for (let k = 0; k < this.count; k++) {
      let value = 0;
      one.numbers.forEach((number, j) => {
        value += (one.node >= 0 ? 1 : one.weights[j] * this.spread[number]) * rows[k * size + number];
      });
      length += value * value;
      for (let i = 0; i < size; i++) result[i] += value * rows[k * size + i];
    }
    for (let i = 0; i < size; i++) result[i] /= Math.sqrt(length);
    if (this.kept.size >= 16) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(one.key, result);
    return result;
  }
}

/** Every model of a page. @returns {Model[]} */
function modelsOf(content) {
  const kinds = { network: NetworkModel, ensemble: EnsembleModel, correlation: CorrelationModel };
  return content.models.map((facts, number) =>
    content.served ? new ServedModel(facts, content, number) : new kinds[facts.kind](facts, content),
  );
}

/** The sample of a page, or null. @param {Model[]} models */
function sampleOf(content, models) {
  if (!content.sample) return null;
  if (content.sample.model !== undefined) return models[content.sample.model].sample;
  return new Sample(unpackNumbers(content.sample.rows), content.names.length, models[0].spread);
}

/** @returns {{a: number, b: number, weight: number, strength: number, directed: boolean}[]} from a to b */
function edgesOf({ start, parent }, weights, strength) {
  const edges = [];
  for (let b = 0; b + 1 < start.length; b++) {
    for (let k = start[b]; k < start[b + 1]; k++) {
      edges.push({ a: parent[k], b, weight: weights[k], strength: strength[k], directed: true });
    }
  }
  return edges;
}

/** Count in how many members a pair is joined, whatever its direction. */
function countEdge(known, { a, b, weight }, size) {
  const key = Math.min(a, b) * size + Math.max(a, b);
  const edge = known.get(key) || { a, b, weight: 0, strength: 0, directed: false };
  edge.strength += 1;
  edge.weight += weight;
  known.set(key, edge);
}

/** Arcs and weights of each member of an ensemble: their texts hold one member after the other. */
function membersArcs(facts, size) {
  const { start, parent } = unpackArcs(size * facts.members, facts.arcs);
  const weights = unpackNumbers(facts.weights);
  const finer = facts.finer ? unpackNumbers(facts.finer) : [];
  finer.forEach((power, child) => {
    for (let k = start[child]; k < start[child + 1]; k++) weights[k] /= 2 ** power;
  });
  return Array.from({ length: facts.members }, (_, k) => {
    const own = start.slice(k * size, (k + 1) * size + 1);
    const [first, end] = [own[0], own[size]];
    const arcs = { start: own.map((at) => at - first), parent: parent.subarray(first, end) };
    return { arcs, weights: weights.subarray(first, end) };
  });
}

/** Pairs that enough members join; their strength is the share of members. */
function supported(members, size) {
  const known = new Map();
  for (const { arcs, weights } of members) {
    for (const edge of edgesOf(arcs, weights, weights)) countEdge(known, edge, size);
  }
  const edges = [...known.values()].map((edge) => ({ ...edge, strength: edge.strength / members.length }));
  return edges.filter((edge) => edge.strength >= SUPPORT);
}

/** Values minus others, in place. */
function lessened(values, others) {
  for (let i = 0; i < values.length; i++) values[i] -= others[i];
  return values;
}

/** Share of members whose change has the sign of the ensemble's; told where that is larger than ``told``. */
function agreementOf(centre, rows, told) {
  const same = new Float64Array(centre.length);
  for (const row of rows) for (let i = 0; i < same.length; i++) if (row[i] * centre[i] > 0) same[i] += 1;
  return same.map((count, i) => (Math.abs(centre[i]) > told ? count / rows.length : NaN));
}

/** @param {Float64Array[]} rows */
function meanOf(rows) {
  const total = new Float64Array(rows[0].length);
  for (const row of rows) for (let i = 0; i < total.length; i++) total[i] += row[i];
  return total.map((value) => value / rows.length);
}

/** Standard deviation (n − 1) over rows; not a number with one row. @param {Float64Array[]} rows */
function spreadOf(rows) {
  const centre = meanOf(rows);
  const total = new Float64Array(centre.length);
  for (const row of rows) for (let i = 0; i < total.length; i++) total[i] += (row[i] - centre[i]) ** 2;
  return total.map((value) => Math.sqrt(value / (rows.length - 1)));
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
