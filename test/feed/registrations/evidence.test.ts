import { describe, expect, it } from "@jest/globals";
import type { PersistedAnswer } from "../../../src/feed/persisted-cache/types";
import { createEvidence } from "../../../src/feed/registrations/evidence";

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
  it("names its company for the route that was used, and for no other", async () => {
    const { evidence } = open();
    await evidence.record("0107", "financials", "A");
    expect(evidence.find("0107", "financials")).toBe("A");
    expect(evidence.find("0107", "search")).toBeNull();
  });

  it("is per spelling: zeros, letter case and spaces matter", async () => {
    const { evidence } = open();
    await evidence.record("ab0107", "search", "A");
    expect(["ab0107", "AB0107", "ab107", "0107", " ab0107"].map((each) => evidence.find(each, "search"))).toEqual([
      "A",
      null,
      null,
      null,
      null,
    ]);
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

  it("names no company once a route gave several or a different one", async () => {
    const { evidence } = open();
    await evidence.record("7", "search", "A");
    await evidence.record("7", "search", null);
    expect(evidence.find("7", "search")).toBeNull();
    await evidence.record("7", "search", "a");
    expect(evidence.find("7", "search")).toBe("a");
    await evidence.record("7", "search", "B");
    expect(evidence.find("7", "search")).toBeNull();
    await evidence.record("7", "search", "A");
    expect(evidence.find("7", "search")).toBe("A");
  });

  it("names no company if the two routes disagree", async () => {
    const { evidence } = open();
    await evidence.record("7", "search", "A");
    await evidence.record("7", "financials", "B");
    expect([evidence.find("7", "search"), evidence.find("7", "financials")]).toEqual([null, null]);
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
