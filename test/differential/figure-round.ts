import type { CellOutcome } from "../office/deliveries";
import { toCountry } from "./addresses";
import type { FigureSet } from "./figure-answers";
import { createFigureBehaviour } from "./figure-behaviour";
import { createQueries, type FigureQuery, queryByNumber, queryGrid, toCapitals } from "./figure-queries";
import { compareFigures } from "./figure-verdict";
import { HONEST } from "./list-behaviour";
import { createList } from "./list-editions";
import type { Formula, Page } from "./page";
import { type Finding, type Observation, observeCells, type Round, toFirstSet, withPages } from "./round";

/** Behaviours in which two countries share registration numbers. */
const SHARING = ["numbers", "combined", "honest"];

/**
 * Requests figures and records of some companies by id and by registration number, often after the page loaded their
 * country's names. Then they change and are refreshed, sometimes on another page too.
 */
export async function runFigureRound(round: Round): Promise<void> {
  const { chance } = round;
  const sets = createSets(round);
  const [figures] = sets as [FigureSet];
  for (const each of sets) addFigures(round, each);
  const queries = createQueries({ figures, chance, isShared: sets.length > 1 });
  const isInCapitals = figures.behaviour.isUpperCase && chance.happens(0.5);
  const requested = isInCapitals ? queries.map(toCapitals) : queries;
  const numbers = sets.map(({ set }) => set);
  await withPages(round, numbers, async (open) => {
    const page = await open();
    await lookAround(round, page, figures, sets.length > 1);
    const cells = await enterAll(round, page, requested);
    if (chance.happens(0.5)) {
      figures.edition += 1;
      await enterAll(round, await open(1), requested);
    }
    await refresh(round, page, requested, cells);
  });
}

function createSets(round: Round): FigureSet[] {
  const { chance } = round;
  const behaviour = createFigureBehaviour(chance);
  const create = (set: number): FigureSet => {
    return { set, companies: 12 + chance.below(40), behaviour, edition: 0, isThere: false };
  };
  const first = toFirstSet(round);
  const isSharing = SHARING.includes(behaviour.name) && chance.happens(0.7);
  return isSharing ? [create(first), create(first + 1)] : [create(first)];
}

/** The companies of a country are also in its lists, which are correct. */
function addFigures({ provider, chance }: Round, figures: FigureSet): void {
  const { set, companies: rows } = figures;
  provider.addFigures(figures);
  provider.addList(createList({ kind: "private", set, rows, behaviour: HONEST, chance }));
}

/** What the page may have loaded before: a country's names or list, then one company or some by number. */
async function lookAround(round: Round, page: Page, figures: FigureSet, isShared: boolean): Promise<void> {
  const { chance, limitMs } = round;
  const country = toCountry(figures.set);
  const look = chance.pick<Formula | null>([
    { name: "COMPANY.FIND", given: [`Company ${figures.set}`, country, 5, null, false] },
    { name: "COMPANY.FIND", given: [`Company ${figures.set}`, country, 5, null, false] },
    { name: "COMPANIES", given: [country, null, "all", "id,companyName,registrationNumber", null, false] },
    null,
  ]);
  if (look !== null) page.type([look]);
  await page.settle(limitMs);
  const queryContext = { figures, chance, isShared };
  const alone = chance.happens(0.5)
    ? queryGrid(queryContext, [chance.below(figures.companies)], 0)
    : queryByNumber(queryContext, [0, 1, chance.below(figures.companies)]);
  const cells = page.type([alone.formula]);
  await page.settle(limitMs);
  await compareAll(round, page, [alone], cells, 0);
}

async function enterAll(round: Round, page: Page, queries: readonly FigureQuery[]): Promise<number[]> {
  const from = round.site.mode === "sign" ? queries[0]!.figures.edition : 0;
  const cells = page.type(queries.map(({ formula }) => formula));
  await page.settle(round.limitMs);
  await compareAll(round, page, queries, cells, from);
  return cells;
}

async function refresh(round: Round, page: Page, queries: readonly FigureQuery[], cells: readonly number[]) {
  const { chance, provider, isFaulty } = round;
  const { figures } = queries[0]!;
  figures.edition += 1;
  figures.isThere = true;
  if (isFaulty && chance.happens(0.5)) provider.setFaults(figures.set, 0);
  const from = figures.edition;
  const failures = await page.refresh();
  await page.settle(round.limitMs);
  // After a failed refresh the pane names the queries, whose values are old.
  await compareAll(round, page, queries, cells, failures > 0 ? 0 : from);
}

const compareAll = (
  round: Round,
  page: Page,
  queries: readonly FigureQuery[],
  cells: readonly number[],
  from: number,
): Promise<void> =>
  observeCells(round, page, () => queries.map((query, at) => compare(query, page.read(cells[at]!), from)));

function compare(query: FigureQuery, shown: CellOutcome | undefined, from: number): Observation {
  const { figures, formula } = query;
  const { behaviour, set, edition, isThere } = figures;
  const window = { from, to: edition, isThere: !behaviour.isAbsentAtFirst || isThere };
  const judgements = compareFigures(query, shown, window);
  const findings = judgements.map((each): Finding => ({ ...each, behaviour: behaviour.name, unit: "figures" }));
  const given = JSON.stringify(formula.given).slice(0, 300);
  return { findings, what: `${formula.name} of set ${set}, ${given} of ${JSON.stringify(behaviour)}`, set };
}
