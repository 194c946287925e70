import { describe, expect, it } from "@jest/globals";
import type { PersistedAnswer } from "../../../src/feed/persisted-cache/types";
import { createEvidence } from "../../../src/feed/registrations/evidence";
import { isRegistration, toAmbiguous, toChanged } from "../../../src/feed/registrations/resolve";
import CASES from "./evidence.json";

type Route = Parameters<ReturnType<typeof createEvidence>["find"]>[1];

const HOUR_MS = 60 * 60_000;

/** The evidence of a page over the persisted data, on the test's clock. */
function open(persisted = new Map<string, PersistedAnswer>()) {
  const clock = { nowMs: 1_000_000 };
  const answers = {
    load: async ([hash = ""]: readonly string[]) => {
      const found = persisted.get(hash);
      return found === undefined ? null : { ...found, hash };
    },
    store: (hash: string, answer: PersistedAnswer) => void persisted.set(hash, JSON.parse(JSON.stringify(answer))),
  };
  return { clock, persisted, evidence: createEvidence(answers, () => clock.nowMs) };
}

describe("the evidence of a registration number", () => {
  const RECORDS = CASES.records as [string, [string, Route, string | null][], [string, Route, string | null][]][];
  it.each(RECORDS)("%s", async (_, records, found) => {
    const { evidence } = open();
    for (const record of records) await evidence.record(...record);
    expect(found.map(([number, route]) => [number, route, evidence.find(number, route)])).toEqual(found);
  });

  it("lasts for a day, and not if the clock was set back", async () => {
    const { evidence, clock } = open();
    await evidence.record("7", "search", "A");
    clock.nowMs += 24 * HOUR_MS - 1;
    expect(evidence.find("7", "search")).toBe("A");
    clock.nowMs += 1;
    expect(evidence.find("7", "search")).toBeNull();
    clock.nowMs -= 25 * HOUR_MS;
    expect(evidence.find("7", "search")).toBeNull();
  });

  it("starts when the provider gave it, if it came from a companion's cache", async () => {
    const { evidence, clock } = open();
    await evidence.record("7", "search", "A", clock.nowMs - 23 * HOUR_MS);
    expect(evidence.find("7", "search")).toBe("A");
    clock.nowMs += HOUR_MS;
    expect(evidence.find("7", "search")).toBeNull();
  });

  it("has both routes' records if they come at once", async () => {
    const { evidence } = open();
    await Promise.all([evidence.record("7", "search", "A"), evidence.record("7", "financials", "B")]);
    expect(await evidence.load("7")).toMatchObject({ search: { companyId: "A" }, financials: { companyId: "B" } });
  });

  it("survives the page, and is cleared from memory when the client changes", async () => {
    const { evidence, persisted } = open();
    await evidence.record("7", "search", "A");
    const next = open(persisted).evidence;
    expect(next.find("7", "search")).toBeNull();
    await next.load("7");
    expect(next.find("7", "search")).toBe("A");
    persisted.clear();
    next.forget();
    await next.load("7");
    expect(next.find("7", "search")).toBeNull();
  });
});

describe("a registration number", () => {
  const NUMBERS = [...CASES.numbers, [undefined, "", false]] as [unknown, string, boolean][];
  it.each(NUMBERS)("%j of an answer is the number %j: %p", (value, registrationNumber, is) => {
    expect(isRegistration(value, registrationNumber)).toBe(is);
  });

  it("of several companies lists five of them with their differences", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const records = [
      { id: "A", companyName: "Sakura Foods", registeredAddress: { country: "JPN", city: "Osaka" } },
      { id: "b", companyName: "Orchid Foods", registeredAddress: null },
    ];
    expect(toAmbiguous("7", { ids, count: 7, records })).toMatchObject({
      code: "FEED_AMBIGUOUS",
      message:
        '"7" names 7 companies: "a" (Sakura Foods, JPN, Osaka); "b" (Orchid Foods); "c"; "d"; "e" and 2 more; put one of the quoted ids in place of the number',
    });
  });

  it("that named another company before says when", () => {
    const toNamed = (companyId: string, day: string) => ({ companyId, atMs: Date.parse(day) });
    const evidence = {
      first: toNamed("a", "2026-03-05"),
      search: toNamed("a", "2026-03-05"),
      financials: toNamed("b", "2026-03-09"),
    };
    expect(toChanged("7", evidence).message).toBe(
      '"7" does not always name the same company: "a" (2026-03-05), "b" (2026-03-09); put one of the quoted ids in place of the number',
    );
  });
});
