import type { CellOutcome } from "../office/deliveries";
import { createChance } from "../support/chance";
import { LIST_KINDS, type ListKind, NODES, toCountry, toDay, toNode } from "./addresses";
import fields from "./fields.json";
import { createListBehaviour, type ListBehaviour } from "./list-behaviour";
import { createList, type ListEditions } from "./list-editions";
import type { ServedList } from "./list-pages";
import { judgeTotals } from "./list-totals";
import { compareFound, compareList, type ListQuery, type Window } from "./list-verdict";
import type { Formula, Page } from "./page";
import { type Finding, observeCells, type Round, report, toFirstSet, withPages } from "./round";

interface ListCell {
  query: ListQuery;
  formula: Formula;
  served: ServedList;
  isSearch: boolean;
}

const LISTS = 9;

/** How much later than the one before a page comes at most, in a list whose pages are slow. */
const SLOWEST_MS = 150;
const PAGE = 1_000;

/**
 * Reads lists: often the first rows on one page, then, after a change, the whole on another; then they change again
 * and are refreshed.
 */
export async function runListRound(round: Round): Promise<void> {
  const { chance } = round;
  const cells = createLists(round);
  const sets = cells.map(({ served }) => served.list.set);
  await withPages(round, sets, async (open) => {
    if (chance.happens(0.6)) {
      await runAhead(round, await open(1), cells);
      for (const served of new Set(cells.map((each) => each.served))) if (chance.happens(0.7)) served.list.change();
    }
    await enterAll(round, await open(), cells);
  });
}

function createLists(round: Round): ListCell[] {
  const { chance, provider, number } = round;
  return Array.from({ length: LISTS }).flatMap((_, at) => {
    const kind = LIST_KINDS[at] ?? chance.pick(LIST_KINDS.filter((each) => each !== "constituents"));
    if (kind === "constituents" && number >= NODES) return [];
    const set = kind === "constituents" ? number : toFirstSet(round) + at;
    const behaviour = createListBehaviour(chance);
    const list = createList({ kind, set, rows: toRows(round, behaviour), behaviour, chance });
    const served = provider.addList(list);
    setBack(round, served);
    const queries = [createQuery(round, list)];
    const isFound = kind === "private" && chance.happens(0.5);
    const found = { query: { list, top: null, isSorted: false }, formula: toSearch(set), served, isSearch: true };
    return [
      ...queries.map((query) => ({ query, formula: toFormula(query), served, isSearch: false })),
      ...(isFound ? [found] : []),
    ];
  });
}

/** Some lists have slow pages; in a faulty round some have one that always fails. By chances of their own: data stays. */
function setBack({ isFaulty, number }: Round, { list, setback }: ServedList): void {
  const chance = createChance(list.set * 65_537 + number);
  if (chance.happens(0.4)) setback.slowMs = 1 + chance.below(SLOWEST_MS);
  if (isFaulty && chance.happens(0.3)) setback.failing = 2;
}

/** Longer than a page of a thousand; fewer rows with small pages. */
function toRows({ chance }: Round, { sizing }: ListBehaviour): number {
  if ("rows" in sizing) return 30 + chance.below(Math.min(900, sizing.rows * 12));
  return chance.happens(0.5) ? PAGE + 1 + chance.below(chance.pick([50, 500, 1_500])) : 30 + chance.below(400);
}

function createQuery({ chance }: Round, list: ListEditions): ListQuery {
  const rows = list.orders[0]!.length;
  const isSortable = list.kind === "companies" || list.kind === "industries";
  const top = chance.happens(0.25) ? 10 + chance.below(rows) : null;
  return { list, top, isSorted: top === null && isSortable && chance.happens(0.2) };
}

function toFormula({ list: { kind, set }, top, isSorted }: ListQuery): Formula {
  const [day, rows, by] = [toDay(set), top ?? "all", isSorted ? "totalUniquePageViews" : null];
  const [country, shown] = [toCountry(set), fields[kind]];
  const formulas: Record<ListKind, Formula> = {
    companies: { name: "RANKING", given: [day, day, rows, shown, by, false] },
    pages: { name: "RANKING.PAGES", given: [day, day, "NEWS", rows, shown, false] },
    industries: { name: "RANKING.INDUSTRIES", given: [day, day, rows, shown, by, false] },
    private: { name: "COMPANIES", given: [country, null, rows, shown, null, false] },
    universe: { name: "UNIVERSE", given: [country, "ALL", rows, shown, false] },
    constituents: { name: "CONSTITUENTS", given: [toNode(set), "ALL", "ALL", rows, shown, null, false] },
  };
  return formulas[kind];
}

const toSearch = (set: number): Formula => ({
  name: "COMPANY.FIND",
  given: [`Company ${set}`, toCountry(set), "all", "companyId,companyName,registrationNumber", false],
});

/** Another page reads the first page of each list, or some lists whole. */
async function runAhead(round: Round, page: Page, cells: readonly ListCell[]): Promise<void> {
  const isWhole = round.chance.happens(0.3);
  const formulas = cells
    .filter(({ isSearch }) => !isSearch)
    .map(({ query }) => toFormula({ ...query, isSorted: false, top: isWhole ? null : PAGE }));
  page.type(formulas);
  await page.settle(round.limitMs);
}

async function enterAll(round: Round, page: Page, listCells: readonly ListCell[]): Promise<void> {
  const { chance, provider, site, isFaulty } = round;
  const typed = listCells.map(begin);
  const cells = page.type(listCells.map(({ formula }) => formula));
  await page.settle(round.limitMs);
  await compareAll(round, page, cells, listCells, typed, site.mode !== "sign");
  for (const { list } of new Set(listCells.map(({ served }) => served))) if (chance.happens(0.9)) list.change();
  if (isFaulty && chance.happens(0.5)) {
    for (const { served } of listCells) {
      provider.setFaults(served.list.set, 0);
      served.setback.failing = null;
    }
  }
  const begun = listCells.map(begin);
  const failures = await page.refresh();
  await page.settle(round.limitMs);
  // After a failed refresh the pane names the queries, whose values are old.
  await compareAll(round, page, cells, listCells, begun, failures > 0);
  for (const [at, { from }] of typed.entries()) reportTotals(round, listCells[at]!, page.readAll(cells[at]!), from);
}

/** Reports totals over all that a cell has shown since it was typed at an edition. */
function reportTotals(
  round: Round,
  { query, served, formula, isSearch }: ListCell,
  shown: CellOutcome[],
  from: number,
): void {
  const { list, records } = served;
  // The order within a tie is open, and so are the first rows.
  if (isSearch || (query.top !== null && list.behaviour.ties !== null)) return;
  const window = { from, to: list.orders.length - 1, mayBeOlder: round.site.mode !== "sign", records };
  const { right, wrong } = judgeTotals(query, shown, window);
  const what = `totals over ${formula.name}(${formula.given.join(", ")}) of ${describe(list)}`;
  const finding = { behaviour: list.behaviour.name, unit: "totals" } as const;
  if (right > 0) report(round, { ...finding, verdict: "right", count: right }, what, list.set);
  for (const because of wrong) report(round, { ...finding, verdict: "wrong", count: 1, because }, what, list.set);
}

type Begun = Pick<Window, "from"> & { records: number };

const begin = ({ served }: ListCell): Begun => ({
  from: served.list.orders.length - 1,
  records: served.records.length,
});

const compareAll = (
  round: Round,
  page: Page,
  cells: readonly number[],
  listCells: readonly ListCell[],
  begun: readonly Begun[],
  mayBeOlder: boolean,
): Promise<void> =>
  observeCells(round, page, () =>
    listCells.map(({ query, served, isSearch, formula }, at) => {
      const { list, records } = served;
      const { from, records: first } = begun[at]!;
      const window: Window = {
        ...{ from, to: list.orders.length - 1, mayBeOlder: mayBeOlder || isSearch },
        records: mayBeOlder && !isSearch ? records : records.slice(first),
      };
      const judgement = (isSearch ? compareFound : compareList)(query, page.read(cells[at]!), window);
      const because = `${judgement.because}; answers since: ${window.records.slice(-10).map(toText).join("; ")}`;
      const finding: Finding = { ...judgement, because, behaviour: list.behaviour.name, unit: "rows" };
      return {
        findings: [finding],
        what: `${formula.name}(${formula.given.join(", ")}) of ${describe(list)}`,
        set: list.set,
      };
    }),
  );

const toText = ({ edition, page, requestedSize, status, rows, total }: ServedList["records"][number]): string =>
  `page ${page} of ${requestedSize} of edition ${edition}: ${status}, ${rows} rows, total ${total}`;

const describe = ({ behaviour, orders }: ListEditions): string =>
  `${JSON.stringify(behaviour)}, ${orders[0]!.length} rows at first`;
