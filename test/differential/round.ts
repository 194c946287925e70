import { type Chance, createChance } from "../support/chance";
import { NODES } from "./addresses";
import type { Page } from "./page";
import { openPage } from "./page";
import type { Provider } from "./provider";
import type { Site } from "./site";
import { FAILURES, MUST_COME, type Tally, type Unit } from "./tally";

/** Some data sets with the pages that ask for them; a seed repeats it. */
export interface Round {
  number: number;
  chance: Chance;
  provider: Provider;
  site: Site;
  tally: Tally;
  /** The bearers of two people, whom a firm leads to different instances as it falls. */
  bearers: readonly string[];
  /** Whether answers get lost, break off and come late. */
  isFaulty: boolean;
  /** How long cells may take, milliseconds. */
  limitMs: number;
  /** Which behaviours there may be; default all. */
  behaviours?: readonly string[];
}

export type RoundStart = Omit<Round, "chance"> & { seed: number };

/** Data sets of a round, at most: even, since two that follow each other may share numbers. */
const SETS = 16;

export const startRound = (start: RoundStart): Round => ({
  ...start,
  chance: createChance(start.seed * 65_537 + start.number),
});

/** The first of the data sets that are a round's own. */
export const toFirstSet = ({ number }: Round): number => NODES + number * SETS;

export const openPageOf = ({ site, bearers }: Round, person = 0): Promise<Page> =>
  openPage(site.origin, bearers[person % bearers.length]!);

export interface Finding {
  behaviour: string;
  unit: Unit;
  verdict: Parameters<Tally["add"]>[0]["verdict"];
  count: number;
  code?: string;
  /** What was shown and what was right. */
  because?: string;
}

/** Some cells' findings, and what leads to them again. */
export interface Look {
  findings: readonly Finding[];
  what: string;
  set: number;
}

const MORE_TURNS = 6;

/** Notes what cells show; where that must not be, only after one more look, since a cell may get its value a moment late. */
export async function lookAt(round: Round, page: Page, look: () => readonly Look[]): Promise<void> {
  let seen = look();
  if (seen.some(({ findings }) => findings.some(({ verdict }) => FAILURES.includes(verdict)))) {
    await page.settle(round.limitMs, MORE_TURNS);
    seen = look();
  }
  for (const { findings, what, set } of seen) for (const finding of findings) note(round, finding, what, set);
}

/** Counts a finding; of one that must not be it says all that leads to it again. */
function note(round: Round, finding: Finding, what: string, set: number): void {
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
  const isHonestError = verdict === "flagged" && MUST_COME.includes(behaviour) && !isFaulty;
  if (!FAILURES.includes(verdict) && !isHonestError) return;
  const requests = provider
    .requestsOf(set)
    .slice(-12)
    .map((each) => `    ${each}`);
  const name = isHonestError ? `flagged though ${behaviour}` : verdict;
  const head = `${name.toUpperCase()} in ${site.mode}, round ${number}, ${behaviour}: ${what}`;
  tally.complain([name, site.mode, behaviour].join(), [head, `  ${because ?? code}`, ...requests].join("\n"));
}
