import { beforeEach, describe, expect, it } from "@jest/globals";
import { createDrifts, type Drifts } from "../../src/session/drifts";
import CASES from "./drifts.json";

const MOST_OF_A_PERSON = 9;

let nowMs: number;
let drifts: Drifts;
beforeEach(() => {
  nowMs = 1_000_000;
  drifts = createDrifts(() => nowMs);
});

const toEntered = (start: unknown, address: string | null = "Sheet1!B2", name = "RANKING") => ({
  name,
  address,
  given: { start, end: null, top: 20 },
});

/** Lets formulas load after their delay, and replaces each by the next one after a second; gives the delays. */
function replace(formulas: readonly ReturnType<typeof toEntered>[], apartMs = 1_000): number[] {
  return formulas.map((formula) => {
    const delayMs = drifts.toDelayMs(formula);
    nowMs += delayMs;
    drifts.begin(formula);
    nowMs += apartMs;
    drifts.end(formula);
    return delayMs;
  });
}

const takeTurns = (values: readonly unknown[], address: string | null, count = 16) =>
  Array.from({ length: count }, (_, at) => toEntered(values[at % values.length], address));

describe("formulas that follow each other in a cell", () => {
  it.each(CASES.drifting as [string, unknown[], string | null][])("wait longer each time: %s", (_, values, address) => {
    const seconds = replace(takeTurns(values, address)).map((delayMs) => delayMs / 1_000);
    expect(seconds).toEqual([...Array(MOST_OF_A_PERSON + 2).fill(0), 1, 3, 7, 15, 19]);
    expect(drifts.count(toEntered(values[0], address))).toBe(16);
  });

  it.each(CASES.other as [string, unknown[], string | null][])("do not wait for %s", (_, values, address) => {
    expect(new Set(replace(takeTurns(values, address, 40)))).toEqual(new Set([0]));
  });

  it.each([
    ["each result is looked at", [2_100]],
    ["each third one is", [700, 900, 4_000]],
    ["they come quickly, and after a pause again", [400, 400, 400, 400, 6_000]],
    ["a spin button is pressed five times at once", [150, 150, 150, 150, 150, 2_500]],
  ])("are a person's and do not wait where %s", (_, pauses) => {
    const delays = takeTurns([3, 4, 5, 6, 7], "Sheet1!B2", 60).flatMap((formula, at) =>
      replace([formula], pauses[at % pauses.length]),
    );
    expect(new Set(delays)).toEqual(new Set([0]));
  });

  it("wait though each tenth answer is slow", () => {
    const turns = takeTurns([1, 2], "Sheet1!B2", 60);
    const delays = turns.flatMap((formula, at) => replace([formula], at % 10 === 9 ? 5_000 : 1_000));
    expect(delays.slice(40).filter((delayMs) => delayMs > 0).length).toBeGreaterThan(10);
  });

  it("load every 20 seconds though each is replaced after a second", () => {
    const loaded: number[] = [];
    for (let second = 0; second < 190; second++) {
      const formula = toEntered(second);
      if (drifts.toDelayMs(formula) < 1_000) {
        drifts.begin(formula);
        loaded.push(second);
      }
      nowMs += 1_000;
      drifts.end(formula);
    }
    expect(loaded.slice(10)).toEqual([10, 30, 50, 70, 90, 110, 130, 150, 170]);
  });

  it("wait no longer after a minute without another one", () => {
    replace(takeTurns([1, 2], "Sheet1!B2"));
    expect(drifts.count(toEntered(1))).toBe(16);
    nowMs += 60_001;
    expect([drifts.count(toEntered(1)), drifts.toDelayMs(toEntered(1))]).toEqual([0, 0]);
    expect(replace(takeTurns([1, 2], "Sheet1!B2", 5), 61_000)).toEqual([0, 0, 0, 0, 0]);
    expect(drifts.count(toEntered(2))).toBe(0);
  });

  it("are forgotten where more than a thousand cells have ended", () => {
    replace(takeTurns([1, 2], "Sheet1!B2"));
    for (let row = 0; row < 1_001; row++) drifts.end(toEntered(1, `Sheet1!A${row}`));
    expect(drifts.count(toEntered(1))).toBe(0);
  });

  it("are told from those of another cell and of another name", () => {
    replace(takeTurns([1, 2], "Sheet1!B2"));
    expect(drifts.toDelayMs(toEntered(1, "Sheet1!B3"))).toBe(0);
    expect(drifts.toDelayMs(toEntered(1, "Sheet1!B2", "RANKING.PAGES"))).toBe(0);
  });

  it("are told from each other where no host gives their cells: one input changed a thousand of them", () => {
    const standing = Array.from({ length: 1_000 }, (_, row) => toEntered(row, null));
    for (const formula of standing) drifts.begin(formula);
    for (const formula of standing) {
      nowMs += 200;
      drifts.end(formula);
    }
    expect(drifts.count(toEntered(5_000, null))).toBe(0);
  });

  it("count once for each recalculation where the cell holds several", () => {
    for (let turn = 0; turn < 8; turn++) {
      nowMs += 1_000;
      for (let part = 0; part < 5; part++) drifts.end(toEntered(turn * 5 + part));
    }
    expect(drifts.count(toEntered(0))).toBe(0);
    for (let turn = 8; turn < 10; turn++) {
      nowMs += 1_000;
      for (let part = 0; part < 5; part++) drifts.end(toEntered(turn * 5 + part));
    }
    expect(drifts.count(toEntered(0))).toBe(10);
  });
});
