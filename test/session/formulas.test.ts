import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Shown } from "../../src/session/calls";
import type { Session } from "../../src/session/session";
import { functions } from "../functions/functions.golden.json";
import { installCustomFunctions } from "../office/custom-functions";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { isolatePage } from "../support/formula-cells";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  installCustomFunctions();
  companion = await startCompanion({ companies: 30 });
  Object.assign(globalThis, { location: { origin: companion.origin } });
  session = await isolatePage(() => {
    require("../../src/functions");
    return require("../../src/session/current").session;
  });
  await session.connect();
});
beforeEach(() => session.feed.queryCache.reset());
afterAll(() => {
  session.feed.queryCache.close();
  return companion.close();
});

/** Runs a formula until it shows rows or an error. */
async function run(name: string, ...given: unknown[]): Promise<{ shown: Shown; end: () => void }> {
  let end = () => {};
  const shown = await new Promise<Shown>((resolve) => {
    end = session.formulas.run(name, given, resolve);
  });
  return { shown, end };
}

describe("the formulas of a session", () => {
  it("include every function of functions.json", () => {
    const ids = functions.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(15);
    expect(ids.filter((id) => !session.formulas.has(id))).toEqual([]);
  });

  it("give the same result without a cell as in a cell", async () => {
    const { shown, end } = await run("COMPANIES", "JPN", null, 3, "companyName");
    expect(shown).toEqual([["Company"], ...Array.from({ length: 3 }, () => [expect.any(String)])]);
    end();
  });

  it("give an error with its text when an argument is invalid", async () => {
    const { shown } = await run("FINANCIAL", "x".repeat(400), 2023, "Revenue");
    expect(shown).toMatchObject({ code: "#VALUE!", message: expect.stringMatching(/^FEED_ARGUMENT_INVALID: /) });
  });

  it("are not listed among the live formulas of a sheet", async () => {
    const { end } = await run("COMPANIES", "JPN", null, 3);
    expect(session.calls.list()).toEqual([]);
    end();
  });

  it("unsubscribe from their queries when they end", async () => {
    const { end } = await run("COMPANIES", "JPN", null, 3);
    expect(session.feed.queryCache.live()).toHaveLength(1);
    end();
    expect(session.feed.queryCache.live()).toEqual([]);
  });

  it("list their queries without a request", async () => {
    const before = session.feed.queryCache.size();
    const queries = await session.formulas.listQueries("RANKING", ["2024-01", null, 10]);
    expect(queries.map(({ key }) => key)).toEqual([
      ["rankCompanies", "2024-01-01T00:00:00", "2024-01-31T23:59:59", 10],
    ]);
    expect(session.feed.queryCache.size()).toBe(before);
    expect(companion.controls.count("rankCompanies")).toBe(0);
    expect(await session.formulas.listQueries("RANKING", ["no day"])).toEqual([]);
  });

  it("throw on an unknown function name", () => {
    expect(() => session.formulas.run("NONE", [], () => {})).toThrow("there is no formula FEED.NONE");
  });
});
