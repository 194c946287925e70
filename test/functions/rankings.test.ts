import { describe, expect, it } from "@jest/globals";
import type { CompanyRanking, CompanyRankingPage } from "../../src/contract/types";
import { toCell } from "../../src/functions/cells";
import { until } from "../support/until";
import { growTo, prepareSandbox } from "./sandbox-formulas";

const RANGE = ["2024-01-01", "2024-01-31"] as const;
const FORBIDDEN = { status: 403, times: Number.POSITIVE_INFINITY };

let direct: CompanyRanking[];
const sandbox = prepareSandbox(undefined, async ({ read }) => {
  const query = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page_size=5000";
  direct = (await read<CompanyRankingPage>(`/japan/ranking/v1/companies?${query}`)).data;
});

const type = (...parameters: unknown[]) => sandbox.formulas.type("RANKING", ...RANGE, ...parameters);

describe("FEED.RANKING", () => {
  it("grows page by page to 4,000 rows, and shows the first page before the last is requested", async () => {
    const { controls } = sandbox.companion;
    const cell = type("all");
    await cell.next();
    expect(controls.count("rankCompanies")).toBeLessThan(4);
    expect(await growTo(cell, 4_001)).toEqual([1_001, 2_001, 3_001, 4_001]);
    expect(controls.count("rankCompanies")).toBe(4);
    expect(cell.shown.at(-1)?.map((row) => row[1])).toEqual([
      "Company",
      ...direct.map((row) => toCell(row.companyName)),
    ]);
  });

  it("keeps the old table during a refresh, and when a later page fails", async () => {
    const { companion, formulas } = sandbox;
    const cell = type(1_500);
    const { length: shown } = await growTo(cell, 1_501);
    companion.controls.perturb = (value) => value * 2;
    await formulas.session.refresh();
    expect(cell.shown.slice(shown).map((rows) => rows.length)).toEqual([1_501]);
    companion.controls.answers.rankCompanies = FORBIDDEN;
    await formulas.session.refresh();
    expect(cell.shown).toHaveLength(shown + 1);
  });

  it("becomes an error when a later page fails on the first load", async () => {
    const cell = type("all");
    await cell.next();
    sandbox.companion.controls.answers.rankCompanies = FORBIDDEN;
    await until(() => cell.shown.at(-1)?.length === 1);
    expect(cell.shown.at(-1)?.[0]?.[0]).toMatch(/^#N\/A FEED_SCOPE_MISSING: /);
  });

  it("sends one query for any number of equal formulas, whatever their fields", async () => {
    const cells = [null, [["rank"]], [["companyName"]]].map((fields) => type(10, fields));
    await Promise.all(cells.map((cell) => cell.next()));
    expect(sandbox.calls()).toEqual(["rankCompanies"]);
  });
});
