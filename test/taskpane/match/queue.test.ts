import { describe, expect, it } from "@jest/globals";
import type { NameMatch } from "../../../src/feed/matching";
import type { Decision } from "../../../src/taskpane/match/decisions";
import {
  extendQueue,
  indexByCompany,
  listOthers,
  toCompany,
  toCounts,
  toItems,
} from "../../../src/taskpane/match/queue";

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
