import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import type { Host } from "../../src/refresh/host";
import type { OpenedProvider } from "../../src/refresh/provider";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createBook, listWritten } from "./book-of-cells";
import { createHome, readFunctions, toEnvironment } from "./command-surroundings";

let sandbox: RunningProvider;
let provider: OpenedProvider;
let host: Host;
const home = createHome();

beforeEach(async () => {
  sandbox = await startSandbox({ companies: 120 });
  jest.resetModules();
  const { openProvider } = await import("../../src/refresh/provider");
  const { openHost } = await import("../../src/refresh/host");
  provider = await openProvider({}, home.surroundings(toEnvironment(sandbox)));
  host = await openHost({ provider, metadata: await readFunctions() });
});

afterEach(async () => {
  host.close();
  await provider.close();
  await sandbox.close();
});

const ONE_CELL = { rows: 1, columns: 1 };

it("calculates with the add-in's own formulas, whose arguments come from each other's tables", async () => {
  const { calculate } = await import("../../src/refresh/engine");
  const book = createBook({
    Ranking: {
      A1: { formula: '_xldudf_FEED_RANKING("2024-01",,3,"companyName,rank")', array: ONE_CELL },
      D2: { formula: '_xldudf_FEED_FINANCIAL(F1,2022+B2,"Revenue")' },
      D3: { formula: 'IFERROR(_xldudf_FEED_FINANCIAL(F1,2021+B3,"Revenue")/2,0)' },
      D4: { formula: '_xldudf_FEED_FINANCIAL("0000000000000",2023,"Revenue")' },
      E1: { formula: "SUM(D2,D3,D3)" },
      F1: { formula: '_xldudf_FEED_UNIVERSE("JPN","PRIVATE",1,"companyId",FALSE)' },
    },
  });
  const { feed, changes } = await calculate(book, host);
  const written = listWritten(changes);
  expect(feed.map(({ isOld, calls }) => [isOld, calls.length])).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
    [false, 1],
    [false, 1],
  ]);
  expect(feed[0]?.after).toMatchObject([
    ["Company", "Rank"],
    [expect.any(String), 1],
    [expect.any(String), 2],
    [expect.any(String), 3],
  ]);
  expect(feed[1]?.failure).toBeNull();
  expect(written["Ranking!D2"]).toEqual(expect.any(Number));
  expect(written["Ranking!E1"]).toBe(Number(written["Ranking!D2"]) + 2 * Number(written["Ranking!D3"]));
  expect(feed[3]).toMatchObject({ after: [[{ error: "#N/A" }]], failure: { code: "FEED_NOT_FOUND" } });
});
