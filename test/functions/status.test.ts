import { afterEach, describe, expect, it, jest } from "@jest/globals";
import pkg from "../../package.json";
import { type FormulaCell, loadFormulas } from "../support/formula-cells";
import { type Received, startServer } from "../support/http-server";
import { startScriptedFormulas } from "../support/scripted-formulas";
import { createStorage } from "../support/storage";
import { until } from "../support/until";
import { prepareSandbox } from "./sandbox-formulas";

let ids: string[];
const sandbox = prepareSandbox(100, async ({ read }) => {
  const list = (country: string) =>
    read<{ data: { id: string }[] }>(`/asia/private-markets/v1/companies?country=${country}&page_size=1`);
  ids = (await Promise.all(["JPN", "SGP"].map(list))).map(({ data }) => data[0]?.id as string);
});

const open = (...parameters: unknown[]) => sandbox.formulas.type("STATUS", ...parameters);
const latest = (cell: FormulaCell) => cell.shown.at(-1)?.[0]?.[0];

/** Waits until a cell shows this, for a moment at least. */
const waitFor = (cell: FormulaCell, value: unknown) => until(async () => (await cell.next())[0]?.[0] === value);

describe("FEED.STATUS", () => {
  it("connects without a click and reports sample data", async () => {
    const cell = open();
    expect(await cell.next()).toEqual([["connecting…"]]);
    expect(await cell.next()).toEqual([["sample data"]]);
    const { controls } = sandbox.companion;
    expect([controls.count(), controls.count("createToken")]).toEqual([1, 1]);
  });

  it("follows the connection, and does not connect after the user disconnected", async () => {
    const cell = open();
    await waitFor(cell, "sample data");
    sandbox.formulas.session.disconnect();
    await waitFor(cell, "disconnected");
    await sandbox.formulas.session.refresh();
    expect(await open().next()).toEqual([["disconnected"]]);
    expect(latest(cell)).toBe("disconnected");
    await sandbox.formulas.session.connect();
    await waitFor(cell, "sample data");
    expect(cell.shown.flat(2)).toEqual(["connecting…", "sample data", "disconnected", "connecting…", "sample data"]);
  });

  it("shows the requests sent, the queries that wait or are stale, and the currencies of live financials", async () => {
    const [requests, pending, stale, currencies] = ["requests", "pending", "stale", "currencies"].map((word) =>
      open(word),
    ) as [FormulaCell, FormulaCell, FormulaCell, FormulaCell];
    expect([requests, pending, stale].map(latest)).toEqual([0, 0, 0]);
    const { companion, formulas } = sandbox;
    companion.controls.answers.rankCompanies = { status: 503 };
    const type = (id = "") => formulas.type("FINANCIAL", [[id]], [["FY0"]], [["Revenue"]]);
    const [japanese, ...others] = [type(ids[0]), type(ids[1]), formulas.type("RANKING", "2024-01", null, 5)];
    await waitFor(pending, 3);
    await Promise.all([japanese, ...others].map((cell) => cell?.next()));
    await waitFor(pending, 0);
    await waitFor(currencies, "JPY, SGD");
    const sent = companion.controls.count() - companion.controls.count("createToken");
    expect([latest(requests), companion.controls.count("rankCompanies")]).toEqual([sent, 2]);
    companion.controls.answers.rankCompanies = { status: 403 };
    await formulas.session.refresh();
    await waitFor(stale, 1);
    japanese?.cancel();
    await waitFor(currencies, "SGD");
  });

  it("gives the add-in's version without a connection", () => {
    expect(latest(open("version"))).toBe(pkg.version);
    expect(sandbox.formulas.session.state().status).toBe("idle");
  });

  it("ends with its cell", async () => {
    const [pending, connection] = [open("pending"), open()];
    await waitFor(connection, "sample data");
    for (const cell of [pending, connection]) cell.cancel();
    await sandbox.formulas.type("RANKING", "2024-01", null, 1).next();
    sandbox.formulas.session.disconnect();
    expect([pending, connection].map(latest)).toEqual([0, "sample data"]);
  });
});

describe("FEED.STATUS without a provider or a companion", () => {
  let end = async () => {};
  afterEach(async () => {
    await end();
    end = async () => {};
    jest.restoreAllMocks();
    Reflect.deleteProperty(globalThis, "localStorage");
  });
  const start = async (...given: Parameters<typeof startScriptedFormulas>) => {
    const scripted = await startScriptedFormulas(...given);
    end = scripted.close;
    return scripted;
  };
  /** Opens a page whose companion has ended. */
  const openAlone = async () => {
    const gone = await startServer(() => ({ json: {} }));
    await gone.close();
    const alone = await loadFormulas(gone.url);
    end = async () => alone.close();
    return alone.type("STATUS");
  };

  it("reports connected for a provider's own data, and the time of the oldest answer", async () => {
    jest.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(-540);
    const json = { data: [{ companyName: "A", headquarters: "T" }], page: 1, pageSize: 25, total: 1 };
    const { formulas, rest } = await start(
      ({ path }) => (path.endsWith("/ranking/v1/companies") ? { json } : undefined),
      { startMs: Date.UTC(2024, 10, 20, 9, 30) },
    );
    await waitFor(formulas.type("STATUS"), "connected");
    const asOf = formulas.type("STATUS", "asof");
    await formulas.type("RANKING", "2024-01").next();
    await rest();
    const shownMs = (Number(latest(asOf)) - 45_616) * 86_400_000; // 45616 is 2024-11-20
    expect(shownMs / 3_600_000).toBeCloseTo(18.5, 2);
    formulas.session.change({ dateSystem: 1904 });
    expect(Number(latest(asOf))).toBeCloseTo(45_616 - 1_462 + 18.5 / 24, 3);
  });

  it("takes the workbook's time for a sheet's only where its sheet is not known", async () => {
    await sandbox.formulas.type("RANKING", "2024-01").next();
    const { session } = sandbox.formulas;
    const before = session.placement.current;
    const place = (oldestBesideMs: () => null | undefined) => session.place({ oldestBesideMs } as never);
    place(() => undefined);
    expect((await open("asof", "Not known").next())[0]?.[0]).toEqual(expect.any(Number));
    place(() => null);
    expect((await open("asof", "Empty").next())[0]?.[0]).toMatch(/^#N\/A FEED_NO_VALUE: no formula shows an answer/);
    session.placement.current = before;
  });

  it("names the failing end of the connection as a value, and retries at a refresh", async () => {
    let isDown = true;
    const { formulas } = await start(({ path }) =>
      path === "/token" && isDown ? { status: 503, json: {} } : undefined,
    );
    const cell = formulas.type("STATUS");
    await until(() => String(latest(cell)).startsWith("not connected: "));
    expect(latest(cell)).toMatch(/^not connected: FEED_SERVER_FAILED: .+; .+/);
    isDown = false;
    await formulas.session.refresh();
    await waitFor(cell, "connected");
  });

  it("reports that the companion does not answer", async () => {
    const cell = await openAlone();
    expect(await cell.next()).toEqual([["connecting…"]]);
    expect((await cell.next())[0]?.[0]).toMatch(
      /^not connected: FEED_SIGNER_UNREACHABLE: the companion does not answer; /,
    );
  });

  it("reports cached sample data as such while the companion does not answer", async () => {
    Object.assign(globalThis, { localStorage: createStorage()() });
    await waitFor(open(), "sample data");
    const cell = await openAlone();
    await until(() => ![undefined, "connecting…"].includes(latest(cell) as string));
    expect(latest(cell)).toMatch(/^sample data, not connected: FEED_SIGNER_UNREACHABLE: /);
  });
});

it("FEED.STATUS shows several changes together once", async () => {
  const answer = ({ path }: Received) => (path.endsWith("/ranking/v1/companies") ? { raw: () => {} } : undefined);
  const { formulas, close } = await startScriptedFormulas(answer);
  const cell = formulas.type("STATUS", "pending");
  for (let count = 1; count <= 15; count++) formulas.type("RANKING", "2024-01", null, count);
  await until(() => cell.shown.length > 1);
  expect(cell.shown.flat(2)).toEqual([0, 15]);
  await close();
});
