import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "@jest/globals";
import type { Controls } from "../../src/sandbox";
import { openHome } from "../companion/programs";
import { toEnvironment } from "./command-surroundings";
import { type Figure, openBooks, readFigures, readValues, toFormulaCell, toRow } from "./workbooks";

const books = openBooks();
const home = openHome();
let figures: Figure[];
beforeAll(async () => {
  figures = await readFigures(30);
});

const YEARS = [2020, 2021, 2022, 2023];
const METRICS = ["Revenue", "EBIT", "EBITDA", "Net Income", "Total Assets"];
const OLD = 0.5;

/** Figures of companies that take several requests, with an old value each. */
function write(): string {
  const lines = figures.flatMap(({ id }) => YEARS.map((year) => ({ id, year })));
  const toFigure = (row: number, column: number, formula: string) =>
    toFormulaCell(`${"ABCDE"[column]}${row}`, formula, OLD);
  const rows = lines.map(({ id, year }, index) =>
    toRow(
      index + 1,
      ...METRICS.map((metric, column) =>
        toFigure(index + 1, column, `_xldudf_FEED_FINANCIAL("${id}",${year},"${metric}")`),
      ),
    ),
  );
  return books.write(rows.join(""));
}

/** Refreshes with a provider that fails, and tells what failed, and whether those cells alone have old values. */
async function refresh(fail: (controls: Controls) => void) {
  const path = write();
  fail(books.sandbox.controls);
  const { code, report } = await books.refresh(path);
  const values = readValues(path);
  const old = Object.keys(values).filter((address) => values[address] === OLD);
  const codes = new Set(report.failed.map((failure) => failure.code));
  expect(new Set(report.failed.map(({ cell }) => cell))).toEqual(new Set(old));
  return { code, codes: [...codes], isPart: old.length > 0 && old.length < Object.keys(values).length };
}

it("waits for a provider that asks for a pause of a second", async () => {
  const ended = await refresh((controls) => {
    controls.rateLimit = { requests: 1, windowMs: 1_000, retryAfterSeconds: 1 };
  });
  expect(ended).toEqual({ code: 0, codes: [], isPart: false });
}, 60_000);

it("keeps what a provider does not give that asks for a pause of an hour on the way, and says so", async () => {
  const ended = await refresh((controls) => {
    controls.rateLimit = { requests: 1, windowMs: 3_600_000, retryAfterSeconds: 3_600 };
  });
  expect(ended).toEqual({ code: 1, codes: ["FEED_RATE_LIMITED"], isPart: true });
}, 60_000);

it("takes a new token where the provider ends the first on the way", async () => {
  const ended = await refresh((controls) => {
    controls.perturb = (value) => {
      if (controls.tokenGeneration === 0) controls.dropTokens();
      return value;
    };
  });
  expect([ended, books.sandbox.controls.count("createToken")]).toEqual([{ code: 0, codes: [], isPart: false }, 2]);
}, 60_000);

it("ends as a program, with its file as it was, where a provider asks for a pause of an hour at once", async () => {
  books.sandbox.controls.rateLimit = { requests: 0, windowMs: 3_600_000, retryAfterSeconds: 3_600 };
  const path = write();
  const bytes = readFileSync(path);
  const { code, errors } = await home.run(["refresh", path], toEnvironment(books.sandbox));
  expect([code, errors]).toEqual([2, expect.stringContaining("could not be refreshed")]);
  expect(readFileSync(path).equals(bytes)).toBe(true);
}, 60_000);
