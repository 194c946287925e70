import { describe, expect, it } from "@jest/globals";
import { interleave } from "./measure";
import { readOptions, toHelp } from "./options";
import { toTable } from "./report";
import type { Row } from "./row";

const toRow = (name: string): Row => ({ name, title: `The ${name}`, measure: async () => [] });
const ROWS = [toRow("names"), toRow("relay")];
const read = (...args: string[]) => readOptions(args, ROWS);

describe("the options of npm run bench", () => {
  it("select parts in the order in which they run, all by default", () => {
    expect(read()).toEqual({ rows: ROWS, rounds: 7, json: undefined });
    const named = read("--only", "relay,names", "--rounds", "1", "--json", "f.json");
    expect(named).toEqual({ rows: ROWS, rounds: 1, json: "f.json" });
    expect(read("--only=relay")?.rows).toEqual([ROWS[1]]);
  });

  it("select a long part only by its name", () => {
    const long = { ...toRow("long"), isLong: true };
    expect(readOptions([], [...ROWS, long])?.rows).toEqual(ROWS);
    expect(readOptions(["--only", "long"], [...ROWS, long])?.rows).toEqual([long]);
    expect(toHelp([long])).toMatch(/^ {2}long +The long \(only where it is named\)$/m);
  });

  it.each(["nmaes", "", "names,"])("are refused with the existing parts if --only is '%s'", (only) => {
    expect(() => read(`--only=${only}`)).toThrow(/^--only takes names, relay, not ".*"\.$/);
  });

  it.each(["0", "-1", "1.5", "few", ""])("are refused if --rounds is '%s'", (rounds) => {
    expect(() => read(`--rounds=${rounds}`)).toThrow(`--rounds takes a whole number from 1, not "${rounds}".`);
  });

  it("print a text that names the parts with --help", () => {
    expect(read("--help")).toBeUndefined();
    expect(toHelp(ROWS)).toMatch(/^ {2}names +The names\n {2}relay +The relay$/m);
  });
});

it("contenders alternate, each first in its round, and never run two at once", async () => {
  const scheduler: string[] = [];
  let running = 0;
  const take = (name: string) => async () => {
    expect(++running).toBe(1);
    scheduler.push(name);
    await Promise.resolve();
    running--;
    return scheduler.length;
  };
  const given = await interleave(3, { a: take("a"), b: take("b"), c: take("c") });
  expect(scheduler.join("")).toBe("abcbcacab");
  expect(given).toEqual({ a: [1, 6, 8], b: [2, 4, 9], c: [3, 5, 7] });
});

it("the lines of a finding have every contender's median and span, ours as a multiple of it, and the verdict", () => {
  const samples = { FEED: [30, 10, 20], floor: [10, 10, 10], none: [0] };
  const goal = { text: "at most 1.25 × the floor", isReached: false };
  expect(toTable([{ what: "a cold fill", unit: "ms", samples, goal }]).split("\n")).toEqual([
    "  a cold fill",
    "      FEED 20 ms (10 to 30)",
    "      floor 10 ms, FEED is 2.00 ×",
    "      none 0 ms",
    "      goal at most 1.25 × the floor: NOT reached",
  ]);
});
