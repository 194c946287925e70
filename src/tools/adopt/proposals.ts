import type { Steps } from "../../taskpane/slices";
import type { Block, BlockLine } from "./block";
import type { Figures } from "./figures";
import {
  type Consensus,
  type Evidence,
  findEvidence,
  type Hypothesis,
  isNamed,
  type Rated,
  rateHypotheses,
} from "./hypotheses";

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
