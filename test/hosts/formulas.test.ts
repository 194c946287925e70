import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { toOutcome, withoutFormats } from "../office/deliveries";
import { CALLS } from "../support/formula-calls";
import { type FormulaBed, startFormulaBed } from "./played-host";
import { OPPOSITE_HOSTS } from "./profiles";
import { expectBlankLeftOut, expectDataTypes } from "./rules";

let bed: FormulaBed;
beforeAll(async () => {
  bed = await startFormulaBed();
});
afterAll(() => bed.close());

/** An error inside a range, in each form that hosts are known to send. */
const ERRORS = [
  [
    "as an error of functions",
    { code: "#DIV/0!", type: "CustomFunctionError" },
    { allowErrors: true, richData: false },
  ],
  ["as a data type", { value: JSON.stringify({ type: "Error", basicType: "Error", basicValue: "#DIV/0!" }) }, {}],
  ["as a bare object", { code: "#DIV/0!", type: "CustomFunctionError" }, { richData: false }],
] as const;

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
    expect(withAddress.value).toEqual([[expect.anything(), expect.anything()]]);
  });

  it("two streams of equal formulas both get their values, where a host does not share them", async () => {
    const { parameters, rows } = CALLS.FINANCIAL!(bed.facts, bed.id);
    const cells = [1, 2].map(() => bed.excel.type("FINANCIAL", parameters));
    const shown = await Promise.all(cells.map((cell) => bed.excel.showRows(cell, rows.length)));
    expect(shown).toEqual([{ value: rows }, { value: rows }]);
  });

  it.each(["COMPANY", "RANKING"])("FEED.%s takes references to blank cells for arguments that were left out", (name) =>
    expectBlankLeftOut(bed, profile, name),
  );

  it.each(ERRORS)(
    "an error in a range of companies, sent %s, spoils its own row alone",
    async (_form, bad, options) => {
      const { excel, id } = bed;
      const given = [[[id], [bad], [profile.blankCell.value], [id]], [["FY0"]], [["Revenue"]]];
      // The result as sent: whether a grid with an error shows each value is the host's affair.
      const sent = withoutFormats(
        toOutcome(await excel.next(excel.type("FINANCIAL", given, { richData: true, ...options }))),
      );
      const code = "#DIV/0!";
      expect(sent).toEqual({
        value: [[expect.any(Number)], [{ error: { code, message: "" } }], [""], [expect.any(Number)]],
      });
    },
  );

  it("a single missing figure shows its error with the text", async () => {
    const nobody = "00000000-0000-4000-8000-00000000000a";
    const delivery = await bed.excel.next(bed.excel.type("FINANCIAL", [[[nobody]], [["FY0"]], [["Revenue"]]]));
    const message = expect.stringMatching(/^FEED_NOT_FOUND: .+; .+/);
    expect(bed.excel.show(delivery)).toEqual({ error: { code: "#N/A", message } });
  });

  it("a missing figure in a grid leaves with its text, whatever the host shows of it", async () => {
    const given = [[[bed.id], ["nobody"]], [["FY0"]], [["Revenue"]]];
    const delivery = await bed.excel.next(bed.excel.type("FINANCIAL", given));
    const message = expect.stringMatching(/^FEED_NO_VALUE: /);
    expect(withoutFormats(toOutcome(delivery))).toEqual({
      value: [[expect.any(Number)], [{ error: { code: "#N/A", message } }]],
    });
    const shown = bed.excel.show(delivery);
    expect("error" in shown).toBe(profile.errorInArray.value === "#VALUE! alone");
  });
});
