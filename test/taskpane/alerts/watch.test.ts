import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Call } from "../../../src/session/calls";
import type { MadeSheet } from "../../../src/session/settings";
import type { Alert, AlertRule } from "../../../src/taskpane/alerts/alert";
import { type AlertStore, createAlertStore } from "../../../src/taskpane/alerts/store";
import { unjudged } from "../../../src/taskpane/alerts/unjudged";
import { watchAlerts } from "../../../src/taskpane/alerts/watch";
import { company, createTrendBed, type TrendBed } from "../../functions/trends/provider";
import { removeOffice, setOffice } from "../../tools/match/office-settings";

const [JANUARY, FEBRUARY, MARCH] = ["2024-01-01", "2024-02-01", "2024-03-01"];
const SHEET: MadeSheet = { name: "Sheet", id: "s1", template: "movers" };

let bed: TrendBed;
let store: AlertStore;
/** The formulas of the sheet; null where the workbook has none such. */
let listCalls: () => readonly Call[] | null;

beforeAll(async () => {
  bed = await createTrendBed();
});
beforeEach(async () => {
  Object.assign(bed, { rankings: {}, statuses: {} });
  for (const day of [JANUARY, FEBRUARY, MARCH]) bed.rankings[day] = rank(1, 2, 3, 4, 5, 6, 7, 8);
  await bed.open();
  store = createAlertStore();
});
afterEach(() => unjudged.remove(() => true));
afterAll(() => bed.close());

const session = () => bed.page.formulas.session;

const rank = (...order: number[]) => order.map((number) => company(number));

/** Types a sheet's formula and switches rules on. */
async function watch(rules: AlertRule[], name: string, ...parameters: unknown[]): Promise<void> {
  listCalls = () => session().calls.list();
  session().change({ sheets: [SHEET] });
  bed.page.formulas.type(name, ...parameters);
  await bed.page.rest();
  watchAlerts({ session: session(), store, listCalls: () => listCalls() });
  await store.change({ rules: { s1: rules } });
  await bed.page.rest();
}

async function refresh(): Promise<void> {
  await session().refresh();
  await bed.page.rest();
}

const toLine = ({ kind, amount, code, before, after, first }: Alert) =>
  `${kind} ${amount}: ${code} ${before} → ${after}, ${first}`;
const told = () => store.state().alerts.map(toLine);

const ENTERS: AlertRule = { kind: "enters", amount: 3 };
const FALLS: AlertRule = { kind: "falls", amount: 3 };
const ENTERED = `enters 3: 1008 8 → 1, ${FEBRUARY}`;

describe.each<[string, string, unknown[]]>([
  ["movers", "RANKING.MOVERS", ["2024-02", null, 5]],
  ["a league table", "RANKING.TREND", [[["top 5"]], "2024-01:2024-02"]],
  ["all rows of a trend", "RANKING.TREND", [[["all"]], "2024-01:2024-02"]],
])("rules of %s", (_, name, parameters) => {
  it("fire once for a change at the provider, and again after it has been taken back", async () => {
    await watch([ENTERS], name, ...parameters);
    expect(told()).toEqual([]);
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    await refresh();
    expect(told()).toEqual([ENTERED]);
    await refresh();
    expect(told()).toEqual([ENTERED]);
    await store.change({ alerts: store.state().alerts.map((alert) => ({ ...alert, isRead: true })) });
    await refresh();
    expect(store.state().alerts.map(({ isRead }) => isRead)).toEqual([true]);
    bed.rankings[FEBRUARY] = rank(1, 2, 3, 4, 5, 6, 7, 8);
    await refresh();
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    await refresh();
    expect(told()).toEqual([ENTERED]);
    expect(store.state().alerts.map(({ isRead }) => isRead)).toEqual([false]);
  });

  it("are judged by two rules at once, and each by the sheet's rows", async () => {
    await watch([ENTERS, FALLS], name, ...parameters);
    bed.rankings[FEBRUARY] = rank(8, 2, 3, 5, 6, 7, 1, 4);
    await refresh();
    const found = [ENTERED, `falls 3: 1001 1 → 7, ${FEBRUARY}`, `falls 3: 1004 4 → 8, ${FEBRUARY}`];
    expect(told().sort()).toEqual(found);
  });

  it("say that they cannot be judged, and why, without firing, until they can", async () => {
    await watch([ENTERS], name, ...parameters);
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    bed.statuses[JANUARY] = 403;
    await refresh();
    expect(told()).toEqual([]);
    expect(unjudged.list()).toEqual([
      { sheet: "s1", sheetName: "Sheet", reason: expect.objectContaining({ code: "FEED_SCOPE_MISSING" }) },
    ]);
    bed.statuses = {};
    await refresh();
    expect(unjudged.list()).toEqual([]);
    expect(told()).toEqual([ENTERED]);
  });
});

describe("a sheet's rules", () => {
  it("fire without a write to the workbook, which would end the person's undo", async () => {
    await watch([ENTERS], "RANKING.MOVERS", "2024-02", null, 5);
    const office = setOffice();
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    await refresh();
    expect([told(), office.saves]).toEqual([[ENTERED], 0]);
    await store.change({ rules: {} });
    expect(office.file.get("feed-alerts")).toEqual({ rules: {}, alerts: store.state().alerts });
    removeOffice();
  });

  it("compare the two last columns of a league table, whatever lies between them", async () => {
    bed.rankings[MARCH] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    await watch([ENTERS], "RANKING.TREND", [["top 5"]], "2024-01,2024-03");
    expect(told()).toEqual([`enters 3: 1008 8 → 1, ${MARCH}`]);
    expect(store.state().alerts[0]?.former).toEqual({ first: JANUARY, last: "2024-01-31" });
  });

  it("leave out what grows or falls below the sheet's rows", async () => {
    bed.rankings[FEBRUARY] = rank(1, 2, 3, 4, 6, 7, 8, 5);
    await watch([FALLS], "RANKING.TREND", [["top 4"]], "2024-01:2024-02");
    expect(told()).toEqual([]);
  });

  it("say the error of the sheet's own formula, and that a sheet has none any more", async () => {
    await watch([ENTERS], "RANKING.TREND", [["top 5"]], "soon");
    expect(unjudged.list()).toEqual([
      { sheet: "s1", sheetName: "Sheet", reason: expect.stringMatching(/^periods must be a date/) },
    ]);
    bed.page.formulas.type("RANKING", "2024-01", null, 5);
    const other = () =>
      session()
        .calls.list()
        .filter(({ name }) => name === "RANKING");
    listCalls = () => [];
    expect(other()).toHaveLength(1);
    await refresh();
    expect(unjudged.list()).toEqual([{ sheet: "s1", sheetName: "Sheet", reason: null }]);
  });

  it("read nothing for a sheet that is deleted, nor while all are off", async () => {
    await watch([], "RANKING.TREND", [["top 5"]], "2024-01:2024-02");
    expect(bed.reads()).toHaveLength(2);
    await store.change({ rules: { s1: [ENTERS] } });
    await bed.page.rest();
    expect(bed.reads()).toHaveLength(4);
    listCalls = () => null;
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    await refresh();
    const before = bed.reads().length;
    await refresh();
    expect(
      bed
        .reads()
        .slice(before)
        .map((read) => read.split("/")[1]),
    ).toEqual(["100", "100"]);
    expect([told(), unjudged.list()]).toEqual([[], []]);
  });

  it("read the whole ranking again with a sheet's own refresh, where its days are not over", async () => {
    const startMs = Date.UTC(2024, 1, 20);
    await bed.open(startMs);
    await watch([ENTERS], "RANKING.TREND", [["top 5"]], "2024-01:2024-02");
    bed.rankings[FEBRUARY] = rank(8, 1, 2, 3, 4, 5, 6, 7);
    await bed.page.clock.advance(60_000);
    await session().refreshDue(session().calls.list(), () => 0);
    await bed.page.rest();
    expect(told()).toEqual([ENTERED]);
    expect(bed.reads().filter((read) => read.endsWith("1/1000"))).toEqual([
      "companies 2024-02-01 1/1000",
      "companies 2024-01-01 1/1000",
      "companies 2024-02-01 1/1000",
    ]);
  });

  it("fire for a company without a ticker where its name is alone", async () => {
    const silent = company(8, 9_992, { tickerSymbol: null });
    bed.rankings[JANUARY] = [...rank(1, 2, 3, 4, 5, 6, 7), silent];
    bed.rankings[FEBRUARY] = [silent, ...rank(1, 2, 3, 4, 5, 6, 7)];
    await watch([ENTERS], "RANKING.MOVERS", "2024-02", null, 5);
    await refresh();
    expect(told()).toEqual([`enters 3:  8 → 1, ${FEBRUARY}`]);
  });
});
