import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import pkg from "../../package.json";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type FormulaCell, type Formulas, loadFormulas } from "../support/formula-cells";
import { startServer } from "../support/http-server";
import { startScriptedFormulas } from "../support/scripted-formulas";
import { createStorage } from "../support/storage";
import { until } from "../support/until";

let companion: RunningCompanion;
let formulas: Formulas;
let ids: string[];

beforeAll(async () => {
  companion = await startCompanion();
  const read = await createDirectReading(companion.origin);
  const list = (country: string) =>
    read<{ data: { id: string }[] }>(`/asia/private-markets/v1/companies?country=${country}&page_size=1`);
  ids = (await Promise.all(["JPN", "SGP"].map(list))).map(({ data }) => data[0]?.id as string);
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const open = (...parameters: unknown[]) => formulas.type("STATUS", ...parameters);
const latest = (cell: FormulaCell) => cell.shown.at(-1)?.[0]?.[0];

/** Reads a cell's results until the expected one. */
async function waitFor(cell: FormulaCell, value: unknown): Promise<void> {
  while ((await cell.next())[0]?.[0] !== value);
}

describe("FEED.STATUS", () => {
  it.each([
    ["nothing", []],
    ["null", [null]],
    ["0", [0]],
    ["empty text", [""]],
  ])("with %s connects without a click and reports sample data", async (_, parameters) => {
    const cell = open(...parameters);
    expect(await cell.next()).toEqual([["connecting…"]]);
    expect(await cell.next()).toEqual([["sample data"]]);
    expect([companion.controls.count(), companion.controls.count("createToken")]).toEqual([1, 1]);
  });

  it("follows the connection, and does not connect after the user disconnected", async () => {
    const cell = open();
    await waitFor(cell, "sample data");
    formulas.session.disconnect();
    await waitFor(cell, "disconnected");
    await formulas.session.refresh();
    expect(await open().next()).toEqual([["disconnected"]]);
    expect(latest(cell)).toBe("disconnected");
    await formulas.session.connect();
    await waitFor(cell, "sample data");
    expect(cell.shown.flat(2)).toEqual(["connecting…", "sample data", "disconnected", "connecting…", "sample data"]);
  });

  it("shows the known state in the value preview, without a connection", () => {
    const cells = [null, "pending", "requests"].map((what) => formulas.preview("STATUS", what));
    expect(cells.map(latest)).toEqual(["not connected yet", 0, 0]);
    expect(formulas.session.state().status).toBe("idle");
  });

  it("counts data requests as they are sent, each query once, and none of its own", async () => {
    const [requests, pending] = [open("requests"), open("pending")];
    expect([latest(requests), latest(pending)]).toEqual([0, 0]);
    companion.controls.answers.rankCompanies = { status: 503 };
    const rankings = [5, 5, 6].map((top) => formulas.type("RANKING", "2024-01", null, top));
    await waitFor(pending, 2);
    await Promise.all(rankings.map((cell) => cell.next()));
    await waitFor(pending, 0);
    expect(companion.controls.count("rankCompanies")).toBe(3);
    const counts = pending.shown.flat(2).filter((count) => count !== 1); // both may be answered before it is shown again
    expect([latest(requests), counts]).toEqual([3, [0, 2, 0]]);
  });

  it("counts queries that a failed refresh left unchanged, and none after a success", async () => {
    const stale = open("stale");
    const rankings = ["2024-01", "2024-02"].map((start) => formulas.type("RANKING", start, null, 1));
    await Promise.all(rankings.map((cell) => cell.next()));
    expect(latest(stale)).toBe(0);
    companion.controls.answers.rankCompanies = { status: 403 };
    await formulas.session.refresh();
    await waitFor(stale, 1);
    await formulas.session.refresh();
    await waitFor(stale, 0);
    expect(stale.shown.flat(2)).toEqual([0, 1, 0]);
  });

  it("names the currencies of all live financials", async () => {
    const cell = open("currencies");
    expect(latest(cell)).toBe(
      "#N/A FEED_NO_VALUE: no formula shows financials yet; enter one such as FEED.FINANCIAL, or wait",
    );
    const figure = (id: string) => formulas.type("FINANCIAL", [[id]], [["FY0"]], [["Revenue"]]);
    const japanese = figure(ids[0] as string);
    await waitFor(cell, "JPY");
    figure(ids[1] as string);
    await waitFor(cell, "JPY, SGD");
    japanese.cancel();
    await waitFor(cell, "SGD");
  });

  it("gives the add-in's version without a connection", () => {
    expect(latest(open("version"))).toBe(pkg.version);
    expect(formulas.session.state().status).toBe("idle");
  });

  it("accepts its keywords in any letter case", () => {
    expect(latest(open(" As-Of "))).toBe("#N/A FEED_NO_VALUE: no formula shows an answer yet; enter one, or wait");
  });

  it.each([
    ["speed", '"speed"'],
    [5, "5"],
    [true, "TRUE"],
  ])("lists its keywords for %p", (what, shown) => {
    expect(latest(open(what))).toBe(
      `#VALUE! FEED_ARGUMENT_INVALID: what must be "asof", "pending", "stale", "requests", "currencies" or "version", not ${shown}`,
    );
  });

  it("passes on an error in its argument", () => {
    expect(latest(open(new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable)))).toBe("#N/A");
  });

  it("ends with its cell", async () => {
    const [pending, connection] = [open("pending"), open()];
    await waitFor(connection, "sample data");
    for (const cell of [pending, connection]) cell.cancel();
    await formulas.type("RANKING", "2024-01", null, 1).next();
    formulas.session.disconnect();
    expect([pending, connection].map(latest)).toEqual([0, "sample data"]);
  });

  it("shows several changes together once", async () => {
    companion.controls.latencyMs = 300; // longer than a result waits for others
    const cell = open("pending");
    const rankings = Array.from({ length: 15 }, (_, index) => formulas.type("RANKING", "2024-01", null, index + 1));
    await until(() => cell.shown.length > 1);
    expect(cell.shown.flat(2)).toEqual([0, 15]);
    for (const ranking of rankings) ranking.cancel();
  });
});

describe("FEED.STATUS without a provider or a companion", () => {
  it("reports connected for a provider's own data, and the time of the oldest answer", async () => {
    const startMs = Date.UTC(2024, 10, 20, 9, 30);
    const offset = jest.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(-540);
    const row = { companyName: "A", headquarters: "T" };
    const scripted = await startScriptedFormulas(
      ({ path }) =>
        path.endsWith("/ranking/v1/companies") ? { json: { data: [row], page: 1, pageSize: 25, total: 1 } } : undefined,
      { startMs },
    );
    try {
      const connection = scripted.formulas.type("STATUS");
      await waitFor(connection, "connected");
      const asOf = scripted.formulas.type("STATUS", "asof");
      await scripted.formulas.type("RANKING", "2024-01").next();
      await scripted.rest();
      const shownMs = (Number(latest(asOf)) - 45_616) * 86_400_000; // 45616 is 2024-11-20
      expect(shownMs / 3_600_000).toBeCloseTo(18.5, 2);
      scripted.formulas.session.change({ dateSystem: 1904 });
      expect(Number(latest(asOf))).toBeCloseTo(45_616 - 1_462 + 18.5 / 24, 3);
    } finally {
      offset.mockRestore();
      await scripted.close();
    }
  });

  it("names the failing end of the connection as a value, and retries at a refresh", async () => {
    let isDown = true;
    const scripted = await startScriptedFormulas(({ path }) =>
      path === "/token" && isDown ? { status: 503, json: {} } : undefined,
    );
    try {
      const cell = scripted.formulas.type("STATUS");
      while (!String(latest(cell)).startsWith("not connected: ")) await cell.next();
      expect(latest(cell)).toMatch(/^not connected: FEED_SERVER_FAILED: .+; .+/);
      isDown = false;
      await scripted.formulas.session.refresh();
      await waitFor(cell, "connected");
    } finally {
      await scripted.close();
    }
  });

  it("reports that the companion does not answer", async () => {
    const gone = await startServer(() => ({ json: {} }));
    await gone.close();
    const alone = await loadFormulas(gone.url);
    const cell = alone.type("STATUS");
    expect(await cell.next()).toEqual([["connecting…"]]);
    expect((await cell.next())[0]?.[0]).toMatch(
      /^not connected: FEED_SIGNER_UNREACHABLE: the companion does not answer; /,
    );
    alone.close();
  });

  it("reports cached sample data as such while the companion does not answer", async () => {
    const gone = await startServer(() => ({ json: {} }));
    await gone.close();
    Object.assign(globalThis, { localStorage: createStorage()() });
    try {
      await waitFor(open(), "sample data");
      const again = await loadFormulas(gone.url);
      const cell = again.type("STATUS");
      while (latest(cell) === undefined || latest(cell) === "connecting…") await cell.next();
      expect(latest(cell)).toMatch(/^sample data, not connected: FEED_SIGNER_UNREACHABLE: /);
      again.close();
    } finally {
      Reflect.deleteProperty(globalThis, "localStorage");
    }
  });
});
