import { type Chance, createChance } from "../support/chance";
import { NODES } from "./addresses";
import type { Judgement } from "./list-verdict";
import { openPage, type Page } from "./page";
import type { Provider } from "./provider";
import type { Site } from "./site";
import { FAILURES, HONEST, type Tally, type Unit } from "./tally";

/** Some data sets with the pages that read them; repeatable by seed. */
export interface Round {
  number: number;
  chance: Chance;
  provider: Provider;
  site: Site;
  tally: Tally;
  /** The bearers of two people, whom a firm's balancer sends to any instance. */
  bearers: readonly string[];
  /** Whether answers get lost, break off and come late. */
  isFaulty: boolean;
  /** The time limit of cells, milliseconds. */
  limitMs: number;
}

/** The most data sets of a round: even, since neighbours may share numbers. */
const SETS = 16;

export const startRound = (start: Omit<Round, "chance"> & { seed: number }): Round => ({
  ...start,
  chance: createChance(start.seed * 65_537 + start.number),
});

export const toFirstSet = ({ number }: Round): number => NODES + number * SETS;

/** The share of answers with a fault in a faulty round. */
const FAULTY_SHARE = 0.2;

/** Does something with pages of people on data sets, which have faults in a faulty round; frees both at its end. */
export async function withPages(
  round: Round,
  sets: readonly number[],
  act: (open: (person?: number) => Promise<Page>) => Promise<void>,
): Promise<void> {
  const { provider, site, bearers, isFaulty } = round;
  if (isFaulty) for (const set of sets) provider.setFaults(set, FAULTY_SHARE);
  const pages: Page[] = [];
  try {
    await act(async (person = 0) => {
      const page = await openPage(site.origin, bearers[person % bearers.length]!);
      pages.push(page);
      return page;
    });
  } finally {
    for (const page of pages) page.close();
    for (const set of sets) provider.remove(set);
  }
}

export interface Finding extends Judgement {
  behaviour: string;
  unit: Unit;
}

/** The verdicts of some cells, and how to reproduce them. */
export interface Observation {
  findings: readonly Finding[];
  what: string;
  set: number;
}

const IDLE_MESSAGES = 6;

/** Records the cells; a wrong one only after a second look, since a value may arrive a moment late. */
export async function observeCells(round: Round, page: Page, look: () => readonly Observation[]): Promise<void> {
  let seen = look();
  if (seen.some(({ findings }) => findings.some(({ verdict }) => FAILURES.includes(verdict)))) {
    await page.settle(round.limitMs, IDLE_MESSAGES);
    seen = look();
  }
  for (const { findings, what, set } of seen) for (const finding of findings) report(round, finding, what, set);
}

/** Counts a verdict; for a wrong one it prints how to reproduce it. */
export function report(round: Round, finding: Finding, what: string, set: number): void {
  const { tally, site, provider, number, isFaulty } = round;
  const { verdict, behaviour, unit, count, code, because } = finding;
  tally.add({
    mode: site.mode,
    behaviour: isFaulty ? `${behaviour}, faulty` : behaviour,
    unit,
    verdict,
    count,
    ...(code && { code }),
  });
  const isHonestError = verdict === "flagged" && behaviour === HONEST && !isFaulty;
  if (!FAILURES.includes(verdict) && !isHonestError) return;
  const requests = provider
    .requestsOf(set)
    .slice(-12)
    .map((each) => `    ${each}`);
  const name = isHonestError ? `flagged though ${behaviour}` : verdict;
  const head = `${name.toUpperCase()} in ${site.mode}, round ${number}, ${behaviour}: ${what}`;
  tally.complain([name, site.mode, behaviour].join(), [head, `  ${because ?? code}`, ...requests].join("\n"));
}
