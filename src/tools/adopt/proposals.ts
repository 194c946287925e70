import type { Financials } from "../../feed/decode";
import { listMetrics, toShortName } from "../../feed/financials/metric-lists";
import { pickMetric } from "../../feed/financials/metrics";
import { listVersions, listYears } from "../../feed/financials/periods";
import type { Steps } from "../../taskpane/slices";
import type { Block, BlockCell, BlockLine } from "./block";
import { compare, countDecimals, UNITS, type Unit } from "./cell-texts";

/** What the add-in proposes for a line of a block. */
export interface Proposal {
  line: BlockLine;
  /** What its numbers may be, the likeliest first; empty where nothing fits. */
  choices: readonly Hypothesis[];
  /** Whether the first choice is the only one that fits, so that it needs no word of the person. */
  isCertain: boolean;
}

/** Evidence and score from which a hypothesis is certain, and its lead over the next, in bits. */
const LEAST_EVIDENCE = 6;
const LEAST_SCORE = 20;
const LEAST_LEAD = 8;
/** Evidence and score from which a hypothesis is worth showing. */
const LEAST_SHOWN_EVIDENCE = 4;
const LEAST_SHOWN_SCORE = 12;
const MOST_CHOICES = 6;

const NO_CONSENSUS: Consensus = { unit: null, basis: undefined };

/** Proposes what each line of a block is, from the figures and the labels. */
export function* proposeLines(block: Block, figures: Figures): Steps<Proposal[]> {
  const found: Evidence[][] = [];
  for (const line of block.lines) found.push(yield* findEvidence(line, figures));
  const propose = (consensus: Consensus) =>
    block.lines.map((line, index) => decide(line, rateHypotheses(line, found[index] ?? [], consensus)));
  const certain = propose(NO_CONSENSUS).flatMap(({ isCertain, choices }) => (isCertain ? choices.slice(0, 1) : []));
  const consensus: Consensus = {
    unit: findCommon(certain.map(({ unit }) => unit)) ?? null,
    basis: findCommon(certain.map(({ basis }) => basis)),
  };
  return propose(consensus);
}

/** What more than half of the lines have in common. */
function findCommon<T>(all: readonly T[]): T | undefined {
  return all.find((one) => all.filter((other) => other === one).length * 2 > all.length);
}

/** Decides whether the best hypothesis is certain; a label that names another metric leaves it to the person. */
function decide(line: BlockLine, rated: readonly Rated[]): Proposal {
  const shown = rated.filter(({ evidence, score }) => evidence >= LEAST_SHOWN_EVIDENCE && score >= LEAST_SHOWN_SCORE);
  const [best] = shown;
  if (best === undefined) return { line, choices: [], isCertain: false };
  const rivals = shown.filter(({ score }) => best.score - score < LEAST_LEAD);
  const isContradicted = line.metricWord !== null && !isNamed(best.hypothesis.metric, line.metricWord);
  const isCertain =
    rivals.length === 1 && !isContradicted && best.evidence >= LEAST_EVIDENCE && best.score >= LEAST_SCORE;
  return { line, choices: rivals.slice(0, MOST_CHOICES).map(({ hypothesis }) => hypothesis), isCertain };
}

/** What a line's numbers may be. */
export interface Hypothesis extends Choice {
  unit: Unit;
  sign: 1 | -1;
  /** The index among each cell's years; or the year itself, where nothing names one. */
  year: { index: number } | { year: number };
}

/** A hypothesis with its evidence. */
interface Evidence {
  hypothesis: Hypothesis;
  /** In bits: how improbable the agreement is by chance. */
  evidence: number;
  /** The figures, which tell equal hypotheses. */
  figures: string;
}

/** A hypothesis with its evidence, and what labels and other lines add to it. */
interface Rated extends Evidence {
  score: number;
}

/** What other lines of the block are. */
interface Consensus {
  unit: Unit | null;
  basis: string | null | undefined;
}

/** A cell that differs costs as much as it would be worth by chance. */
const DIFFERING_COST = 4;
const MOST_BITS = 20;
/** What labels and other lines are worth, in bits. */
const LABEL_BITS = 12;
const UNIT_BITS = 8;
const CONSOLIDATION_BITS = 8;
const CONSENSUS_BITS = 6;
const MINUS_COST = 2;

export const yearOf = ({ years }: BlockCell, { year }: Pick<Hypothesis, "year">): number | null =>
  "year" in year ? year.year : (years?.[year.index] ?? null);

/** The decimals in which a line's numbers are typed. */
export const decimalsOf = ({ cells }: Pick<BlockLine, "cells">): number =>
  cells.reduce((most, { typed }) => Math.max(most, countDecimals(typed)), 0);

interface Predicted {
  typed: number;
  /** The provider's figure in its own unit; null without one. */
  figure: number | null;
}

/** A longer line is judged by so many of its cells, evenly taken. */
const MOST_CELLS = 200;

/** Finds the evidence for each hypothesis about a line, one metric, basis and year a step. */
function* findEvidence(line: BlockLine, figures: Figures): Steps<Evidence[]> {
  const decimals = decimalsOf(line);
  const stride = Math.ceil(line.cells.length / MOST_CELLS);
  const cells = line.cells.filter((_, index) => index % stride === 0);
  const found: Evidence[] = [];
  for (const metric of figures.metrics) {
    for (const basis of figures.bases) {
      for (const year of listYearChoices(line, figures)) {
        yield;
        const predicted = cells.map((cell): Predicted => {
          const at = yearOf(cell, { year });
          return { typed: cell.typed, figure: at === null ? null : figures.find(cell.company, at, { metric, basis }) };
        });
        if (predicted.every(({ figure }) => figure === null)) continue;
        for (const unit of UNITS) {
          for (const sign of [1, -1] as const) {
            const one = rate({ metric, basis, unit, sign, year }, predicted, decimals);
            if (one !== null) found.push(one);
          }
        }
      }
    }
  }
  return found;
}

/** Rates hypotheses by their evidence and what labels and other lines say, the best first. */
function rateHypotheses(line: BlockLine, found: readonly Evidence[], consensus: Consensus): Rated[] {
  const rated = found.map((one) => ({ ...one, score: one.evidence + toPrior(one.hypothesis, line, consensus) }));
  return withoutEqual(rated.sort((one, other) => other.score - one.score));
}

function listYearChoices({ cells }: BlockLine, { years }: Figures): Hypothesis["year"][] {
  if (cells.some((cell) => cell.years === null)) return years.map((year) => ({ year }));
  const most = Math.max(...cells.map((cell) => cell.years?.length ?? 0));
  return Array.from({ length: most }, (_, index) => ({ index }));
}

/** Rates a hypothesis by its figures; null where fewer than half of the known ones agree. */
function rate(hypothesis: Hypothesis, predicted: readonly Predicted[], decimals: number): Evidence | null {
  const { unit, sign } = hypothesis;
  let [evidence, agreeing, known] = [0, 0, 0];
  for (const { typed, figure } of predicted) {
    if (figure === null) continue;
    known++;
    if (compare(typed, (sign * figure) / unit, decimals) === "differs") evidence -= DIFFERING_COST;
    else {
      agreeing++;
      evidence += toBits(typed, decimals);
    }
  }
  if (agreeing === 0 || agreeing * 2 < known) return null;
  const all = predicted.map(({ figure }) => (figure === null ? "" : (sign * figure) / unit)).join();
  return { hypothesis, evidence, figures: all };
}

/** How improbable it is that another figure of any size agrees with a typed number. */
function toBits(typed: number, decimals: number): number {
  const steps = Math.abs(typed) * 10 ** decimals;
  return steps < 1 ? 0 : Math.min(MOST_BITS, Math.log2(steps) + 1);
}

function toPrior({ metric, basis, unit, sign, year }: Hypothesis, line: BlockLine, consensus: Consensus): number {
  let bits = 0;
  if (line.metricWord !== null && isNamed(metric, line.metricWord)) bits += LABEL_BITS;
  if (line.unit !== null && line.unit === unit) bits += UNIT_BITS;
  if (consensus.unit !== null && consensus.unit === unit) bits += CONSENSUS_BITS;
  if (line.consolidation === "NON_CONSOLIDATED" && basis === "NON_CONSOLIDATED") bits += CONSOLIDATION_BITS;
  if (line.consolidation === "CONSOLIDATED" && basis !== "NON_CONSOLIDATED") bits += CONSOLIDATION_BITS;
  if (consensus.basis !== undefined && consensus.basis === basis) bits += CONSENSUS_BITS;
  if (sign === -1) bits -= MINUS_COST;
  if ("index" in year) bits -= year.index;
  return bits;
}

/** Whether a metric of an answer is the one that a label names. */
const isNamed = (metric: string, word: string): boolean => metric === word || metric.endsWith(`.${word}`);

/** Of hypotheses of one metric with the same figures, the first and simplest stays. */
function withoutEqual(rated: readonly Rated[]): Rated[] {
  const seen = new Map<string, Rated>();
  const isSimpler = (one: Rated, other: Rated) => one.hypothesis.basis === null && other.hypothesis.basis !== null;
  for (const each of rated) {
    const key = `${each.hypothesis.metric} ${each.figures}`;
    const before = seen.get(key);
    if (before === undefined || isSimpler(each, before))
      seen.set(key, { ...each, score: Math.max(each.score, before?.score ?? each.score) });
  }
  return [...seen.values()].sort((one, other) => other.score - one.score);
}

/** Which figure of a company and year a formula gives. */
interface Choice {
  /** The metric as a formula names it. */
  metric: string;
  /** The consolidation as a formula's basis; null for the formula's own choice. */
  basis: string | null;
}

/** The figures of the block's companies, as formulas would give them. */
export interface Figures {
  /** By the companies' index in the block; null where there is no answer. */
  answers: readonly (Financials | null)[];
  /** All metrics that any answer has, as a formula names them. */
  metrics: readonly string[];
  /** Null, and each consolidation that an answer has. */
  bases: readonly (string | null)[];
  /** The fiscal years that any answer has, ascending. */
  years: readonly number[];
  /** A figure; null where the formula would show an error. */
  find(company: number, year: number, choice: Choice): number | null;
}

export function createFigures(answers: readonly (Financials | null)[]): Figures {
  const present = answers.filter((answer) => answer !== null);
  const versions = listVersions(present, []);
  const listed = listMetrics(versions);
  const consolidations = versions.flatMap(({ statements }) =>
    statements.map(({ consolidationType }) => consolidationType),
  );
  const known = new Map<string, number | null>();
  return {
    answers,
    metrics: listed.map((metric) => toShortName(metric, listed)),
    bases: [null, ...new Set(consolidations.filter((text) => text !== ""))],
    years: [...new Set(present.flatMap((answer) => listYears(answer)))].sort((one, other) => one - other),
    find(company, year, { metric, basis }) {
      const key = `${company} ${year} ${basis ?? ""} ${metric}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const figure = pick(answers[company] ?? null, year, { metric, basis });
      known.set(key, figure);
      return figure;
    },
  };
}

function pick(answer: Financials | null, year: number, { metric, basis }: Choice): number | null {
  if (answer === null) return null;
  try {
    const { value } = pickMetric(answer, year, { name: metric, basis: basis === null ? [] : [basis] });
    return typeof value === "number" ? value : null;
  } catch {
    return null; // the formula would show the error
  }
}
