import { describe, expect, it } from "@jest/globals";
import type { TaxonomyCompanyPage } from "../../src/contract/types";
import { until } from "../support/until";
import { growTo, prepareSandbox } from "./sandbox-formulas";

let total: number;
const sandbox = prepareSandbox(400, async ({ read }) => {
  const list = "/asia/industry-taxonomies/v1/sectors/SEC04/companies?country=ALL&company_type=ALL";
  total = (await read<TaxonomyCompanyPage>(list)).total;
});

const isAscending = (lengths: readonly number[]) => lengths.every((length, at) => length >= (lengths[at - 1] ?? 0));

describe("FEED.CONSTITUENTS", () => {
  it("grows as its pages arrive", async () => {
    sandbox.companion.controls.pageCap = 30;
    const cell = sandbox.formulas.type("CONSTITUENTS", "SEC04", "ALL", null, null, null, null, false);
    const lengths = await growTo(cell, total);
    expect(lengths[0]).toBe(30);
    expect(lengths.slice(1, 10)).toEqual(lengths.slice(0, 9).map((length) => length + 30)); // throttled from then on
    expect(isAscending(lengths)).toBe(true);
    // The request that checks a list's end comes after its result, and must not reach the next test.
    await until(() => sandbox.formulas.session.feed.activity.pending() === 0);
  });

  it("grows beside waiting formulas, and reads the tree once for several nodes", async () => {
    sandbox.companion.controls.pageCap = 30;
    const cell = sandbox.formulas.type("CONSTITUENTS", "SEC04", "ALL", null, null, null, null, false);
    const others = ["SEC01", "SEC02", "SEC03", "SUB0401", "IND040101"].map((node) =>
      sandbox.formulas.type("CONSTITUENTS", node, "ALL", null, 3),
    );
    const lengths = await growTo(cell, total);
    // Pages that come within a moment are shown together while other cells wait.
    expect(lengths.slice(0, -1).filter((length) => length % 30 !== 0)).toEqual([]);
    expect(isAscending(lengths)).toBe(true);
    for (const other of others) expect(await other.next()).toHaveLength(4);
    expect(sandbox.companion.controls.count("getTaxonomyTree")).toBe(1);
    expect(sandbox.companion.controls.count("listSectorCompanies")).toBe(Math.ceil(total / 30) + 3);
  });

  it("refetches tree and list once at a refresh, and keeps the table if that fails", async () => {
    const { companion, formulas } = sandbox;
    const cells = ["SEC04", "sec04", "sector:SEC04"].map((node) => formulas.type("CONSTITUENTS", node, "ALL", null, 3));
    for (const cell of cells) expect(await cell.next()).toHaveLength(4);
    expect(sandbox.calls()).toEqual(["getTaxonomyTree", "listSectorCompanies"]);
    await formulas.session.refresh();
    expect(sandbox.calls().slice(2).sort()).toEqual(["getTaxonomyTree", "listSectorCompanies"]);
    companion.controls.answers.listSectorCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    await formulas.session.refresh();
    expect(cells.map(({ shown }) => shown.length)).toEqual([1, 1, 1]);
  });
});
