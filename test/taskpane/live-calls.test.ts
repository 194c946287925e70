import { describe, expect, it } from "@jest/globals";
import type { Call } from "../../src/session/calls";
import { readLiveCalls, toLabel } from "../../src/taskpane/activity/live-calls";
import { runSteps } from "../support/run-steps";

const callOf = (given: Call["given"], more: Partial<Call> = {}): Call => ({
  name: "FINANCIAL",
  given,
  address: null,
  queries: [],
  error: null,
  shown: null,
  findOrigin: () => ({ error: null, places: [] }),
  reread() {},
  ...more,
});

describe("the live formulas", () => {
  const query = { key: ["financials", "7203"], load: async () => null };
  const calls = Array.from({ length: 14_000 }, (_, row) => callOf({}, { address: `Model!A${row}`, queries: [query] }));

  it("read a query once for all formulas that share it, and come again where nothing has changed", () => {
    let finds = 0;
    const queryCache = {
      find() {
        finds++;
        return null;
      },
    };
    const first = runSteps(readLiveCalls(calls, queryCache));
    const second = runSteps(readLiveCalls([...calls], queryCache, first));
    expect(finds).toBe(2);
    expect(second.counts.asking).toBe(14_000);
    expect(second.sheets[0]).toBe(first.sheets[0]);
    expect(second.calls[0]).toBe(first.calls[0]);
  });
});

describe("a formula's label", () => {
  it("lists its arguments in order, without omitted ones", () => {
    expect(toLabel(callOf({ company: [["7203"]], year: [[2023]], metric: "Revenue", basis: null, unit: "" }))).toBe(
      "7203 · 2023 · Revenue",
    );
  });

  it("shows a range by its first value and count, and a long id by its beginning", () => {
    const companies = [["3f2b8c1e-77aa-4c0d-9e51-0a1b2c3d4e5f"], ["b"], [null], ["c"]];
    expect(toLabel(callOf({ companies, year: [[null]], headers: false }))).toBe("3f2b8c1e… +2 · false");
  });

  it("shows the days of a ranking as they are sent", () => {
    const query = {
      key: ["rankCompanies", "2024-01-01T00:00:00", "2024-01-31T23:59:59", 5],
      load: async () => null,
    };
    const call = callOf({ start: 45_292, end: 45_322, top: 5 }, { name: "RANKING", queries: [query] });
    expect(toLabel(call)).toBe("2024-01-01 – 2024-01-31 · 5");
  });

  it("is truncated if it is too long", () => {
    expect(toLabel(callOf({ text: "x".repeat(200) }))).toHaveLength(81);
  });
});
