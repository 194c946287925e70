import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { NameMatch } from "../../../src/feed/matching";
import { createResolutions, type Resolutions } from "../../../src/feed/resolutions";
import type { Session } from "../../../src/session/session";
import { type Decision, openDecisions } from "../../../src/taskpane/match/decisions";
import {
  extendQueue,
  indexByCompany,
  listOthers,
  toCompany,
  toCounts,
  toItems,
} from "../../../src/taskpane/match/queue";
import { type Clock, createClock } from "../../support/clock";
import { type OfficeSettings, removeOffice, setOffice } from "./office-settings";

const SAKURA = { name: "Sakura", country: "JPN" };
const HILL = { name: "hill", country: "JPN" };
const FOODS: Decision = { kind: "company", company: { id: "a", name: "Sakura Foods" } };
const NONE: Decision = { kind: "none" };
const REVIEW = { sheet: "CRM", sheetId: "1", address: "A2:A51", country: "JPN" };

let office: OfficeSettings;
let clock: Clock;
let resolutions: Resolutions;
let renewed: unknown[];
let restarted: unknown[];
let changes: number;

const NAMED_QUERIES = [
  ["financials", SAKURA],
  ["findNames", "JPN", "hill", "id"],
  ["financials", { name: "Sakura", country: "SGP" }],
  ["matchNames", "JPN", 1, [{ name: "Sakura", hints: [] }]],
];

function open() {
  const queryCache = {
    renew: (key: unknown) => renewed.push(key),
    restart: (isMeant: (key: readonly unknown[]) => boolean) => restarted.push(...NAMED_QUERIES.filter(isMeant)),
  };
  const session = { feed: { resolutions, queryCache }, ports: clock.ports } as unknown as Session;
  return openDecisions(session, () => {
    changes++;
  });
}

beforeEach(() => {
  office = setOffice();
  clock = createClock();
  resolutions = createResolutions();
  [renewed, restarted, changes] = [[], [], 0];
});
afterEach(removeOffice);

describe("a decision", () => {
  it("is what the name means in formulas, which are read again", () => {
    const decisions = open();
    decisions.decide([[SAKURA, FOODS]]);
    expect(resolutions.find(SAKURA)).toEqual({ ...SAKURA, companyId: "a", companyName: "Sakura Foods" });
    expect(decisions.find(SAKURA)).toEqual(FOODS);
    expect(restarted).toEqual([NAMED_QUERIES[0]]);
    expect(changes).toBe(1);
  });

  it("reaches the formulas that match names together with the others of a second", async () => {
    const decisions = open();
    decisions.decide([[SAKURA, FOODS]]);
    decisions.decide([[HILL, NONE]]);
    expect(renewed).toEqual([]);
    await clock.advance(1_000);
    expect(renewed).toEqual([["matchNames"]]);
    expect(office.saves).toBe(1);
  });

  it("for none takes the company from the name, in formulas too", () => {
    const decisions = open();
    decisions.decide([[SAKURA, FOODS]]);
    decisions.decide([[SAKURA, NONE]]);
    expect(resolutions.find(SAKURA)).toEqual({ ...SAKURA, companyId: "", companyName: "" });
    expect(restarted).toEqual([NAMED_QUERIES[0], NAMED_QUERIES[0]]);
    expect(open().find(SAKURA)).toEqual(NONE);
    expect(open().find({ ...SAKURA, country: "SGP" })).toBeNull();
  });

  it("is taken back", () => {
    const decisions = open();
    decisions.decide([
      [SAKURA, FOODS],
      [HILL, NONE],
    ]);
    decisions.decide([
      [SAKURA, null],
      [HILL, null],
    ]);
    expect([decisions.find(SAKURA), decisions.find(HILL)]).toEqual([null, null]);
    expect(resolutions.list()).toEqual([]);
  });
});

describe("the review", () => {
  it("is in the workbook", async () => {
    open().begin(REVIEW);
    await clock.advance(1_000);
    expect(open().review()).toEqual(REVIEW);
  });

  it("ignores entries that another version or program has written", () => {
    office.file.set("feed-match", { review: { ...REVIEW, address: "somewhere" } });
    expect(open().review()).toBeNull();
    office.file.set("feed-match", "text");
    expect(open().review()).toBeNull();
  });
});

const toMatch = (state: NameMatch["state"], ...ids: string[]): NameMatch => ({
  state,
  candidates: ids.map((companyId) => ({
    company: { companyId, companyName: `Company ${companyId}`, industry: "Retail" },
    score: 0.9,
    evidence: ["city"],
  })),
  alike: 1,
  isDecided: false,
  sameAs: null,
});

const MATCHES = new Map([
  ["exact", toMatch("exact", "a")],
  ["absent", toMatch("none")],
  ["sure", toMatch("sure", "b")],
  ["again", toMatch("sure", "B")],
  ["doubtful", toMatch("doubtful", "c", "d")],
]);
const NAMES = [...MATCHES.keys(), "later"].map((text, row) => ({ text, hints: [], rows: [row] }));

const items = (decisions: Record<string, Decision> = {}, out: string[] = []) =>
  toItems(NAMES, MATCHES, (text) => decisions[text] ?? null, new Set(out), "en");

const toDecided = (id: string): Decision => ({ kind: "company", company: { id, name: id } });

describe("the names of a review", () => {
  it("are counted by what is to be done about them", () => {
    expect(toCounts(items())).toEqual({ decided: 0, none: 0, sure: 3, doubtful: 1, unknown: 1, unmatched: 1 });
    const decided = items({ exact: toDecided("a"), absent: { kind: "none" }, later: toDecided("z") }, ["sure"]);
    expect(toCounts(decided)).toEqual({ decided: 2, none: 1, sure: 1, doubtful: 2, unknown: 0, unmatched: 0 });
  });

  it("have the company of their decision, else the sure one, never a doubtful one", () => {
    const found = items({ sure: toDecided("x"), absent: { kind: "none" } }).map((item) => toCompany(item)?.id ?? null);
    expect(found).toEqual(["a", null, "x", "B", null, null]);
  });

  it("know the other names of their company, whatever the case of its id", () => {
    const index = indexByCompany(items());
    expect(listOthers(index, "b", "sure")).toEqual(["again"]);
    expect(listOthers(index, "a", "exact")).toEqual([]);
    expect(listOthers(indexByCompany(items({ doubtful: toDecided("a") })), "A", "exact")).toEqual(["doubtful"]);
  });

  it("show each candidate's facts", () => {
    expect(items()[4]?.candidates[0]).toMatchObject({ id: "c", name: "Company c", industry: "Retail", score: 0.9 });
  });
});

describe("the queue of names to decide on", () => {
  it("begins with doubtful names, and ends with those that no company is like", () => {
    expect(extendQueue([], items())).toEqual(["doubtful", "absent"]);
  });

  it("keeps decided names in their places, and takes further ones at its end", () => {
    const queue = extendQueue([], items());
    expect(extendQueue(queue, items({ doubtful: toDecided("c") }, ["exact"]))).toEqual(["doubtful", "absent", "exact"]);
    expect(extendQueue(queue, items({ doubtful: toDecided("c") }))).toBe(queue);
  });
});
