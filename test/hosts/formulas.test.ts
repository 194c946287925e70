import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { CALLS } from "../support/formula-calls";
import { OPPOSITE_HOSTS } from "./named-hosts";
import { type FormulaBed, startFormulaBed } from "./played-host";
import { expectDataTypes } from "./rules";

let bed: FormulaBed;
beforeAll(async () => {
  bed = await startFormulaBed();
});
afterAll(() => bed.close());

describe.each(OPPOSITE_HOSTS)("in %s", (_, profile) => {
  beforeAll(() => bed.play(profile));
  afterAll(() => bed.excel.close());

  it.each(["FINANCIAL", "COMPANY"])("FEED.%s with dates sends data types only if functions have them", (name) =>
    expectDataTypes(bed, profile, name),
  );

  it("a formula shows the same with its address and without one", async () => {
    const given = [[[bed.id]], [["FY0"]], [["Revenue", "periodEnd"]]];
    const [known, missing] = ["Sheet1!B2", undefined].map((address) => bed.excel.type("FINANCIAL", given, { address }));
    const withAddress = await bed.excel.next(known as number);
    expect(await bed.excel.next(missing as number)).toEqual(withAddress);
    expect(withAddress.value).toEqual([[expect.any(Number), expect.anything()]]);
  });

  it("two streams of equal formulas both get their values, where a host does not share them", async () => {
    const { parameters, rows } = CALLS.FINANCIAL!(bed.facts, bed.id);
    const cells = [1, 2].map(() => bed.excel.type("FINANCIAL", parameters));
    const shown = await Promise.all(cells.map((cell) => bed.excel.showRows(cell, rows.length)));
    expect(shown).toEqual([{ value: rows }, { value: rows }]);
  });
});
