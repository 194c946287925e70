import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createResolutions, type Resolutions } from "../../../src/feed/resolutions";
import type { Session } from "../../../src/session/session";
import { type Decision, openDecisions } from "../../../src/taskpane/match/decisions";
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
