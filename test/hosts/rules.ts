import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import type { OfficeHost } from "../office/browser-host";
import type { Delivery } from "../office/deliveries";
import { CALLS, DECLARED } from "../support/formula-calls";
import { openSettings } from "../support/pane-page";
import type { FormulaBed } from "./played-host";
import type { HostProfile } from "./profiles";

/** Formulas with dates, which leave formatted where the host has data types. */
export const DATED: Record<string, (id: string) => unknown[]> = {
  FINANCIAL: (id) => [[[id]], [["FY0"]], [["periodEnd", "Revenue"]]],
  COMPANY: (id) => [[[id]]],
  COMPANIES: () => ["JPN", null, 5, [["all"]]],
  UNIVERSE: () => ["JPN", null, 5, [["all"]]],
};

/** Whether a cell of a result is a data type: an object other than an error. */
const isDataType = (cell: unknown) =>
  typeof cell === "object" && cell !== null && (cell as { valueType?: string }).valueType !== "CustomFunctionError";

const listDataTypes = ({ value }: Delivery) => [value].flat(2).filter(isDataType);

export async function expectDataTypes({ excel, facts, id }: FormulaBed, { hasDataTypes }: HostProfile, name: string) {
  const delivery = await excel.next(excel.type(name, DATED[name]!(id)));
  expect(delivery.ok).toBe(true);
  if (!hasDataTypes.value) expect(listDataTypes(delivery)).toEqual([]);
  if (name !== "FINANCIAL") return;
  const latest = facts.years.reduce((one, other) => (other.year > one.year ? other : one));
  const basicValue = Date.parse(latest.financialPeriodEnd as string) / 86_400_000 + 25_569;
  const format = (value: unknown, numberFormat: string) =>
    hasDataTypes.value ? { type: "FormattedNumber", basicValue: value, numberFormat } : value;
  const revenue = CALLS.FINANCIAL!(facts, id).rows[0]?.[facts.years.indexOf(latest)];
  expect(delivery.value).toEqual([[format(basicValue, "yyyy-mm-dd"), format(revenue, "#,##0")]]);
}

export async function expectDirectRead({ excel, facts, id }: FormulaBed, name: string) {
  const { parameters, rows } = CALLS[name]!(facts, id);
  expect(rows.flat().length).toBeGreaterThan(0);
  const shown = await excel.showRows(excel.type(name, parameters), rows.length);
  expect([name, shown]).toEqual([name, { value: rows }]);
}

/** A month is a whole range, so that `end` can be left out. */
const START = "2024-01";

/** The formula's required arguments, and all optional ones as references to blank cells, or left out. */
function toGiven({ facts, id }: FormulaBed, name: string, blank: HostProfile["blankCell"]["value"] | undefined) {
  const sensible = CALLS[name]!(facts, id).parameters;
  const { parameters } = DECLARED.find((declared) => declared.id === name)!;
  return parameters.map(({ name: parameter, optional, dimensionality }, place) => {
    if (parameter === "start") return START;
    if (optional !== true) return sensible[place];
    return blank !== undefined && dimensionality === "matrix" ? [[blank]] : blank;
  });
}

export async function expectBlankLeftOut(bed: FormulaBed, { blankCell }: HostProfile, name: string) {
  const cells = [undefined, blankCell.value].map((blank) => bed.excel.type(name, toGiven(bed, name, blank)));
  const [expected, shown] = await Promise.all(cells.map((cell) => bed.excel.showRows(cell, name === "STATUS" ? 1 : 0)));
  expect([name, shown]).toEqual([name, expected]);
  expect(expected).toHaveProperty("value");
}

/** Of a pane whose workbook's switch for properties is on; its settings fit too. */
export async function expectProperties(office: OfficeHost, { hasDataTypes }: HostProfile, id: string) {
  const { value } = await office.next(office.call("FINANCIAL", [[[id]], [["FY0"]], [["Revenue"]], null, null]));
  const carrying = expect.objectContaining({ type: "Double", basicValue: expect.any(Number) });
  expect(value).toEqual([[hasDataTypes.value ? carrying : expect.any(Number)]]);
  await openSettings(office.page);
  const refusal = office.page.getByText("This Excel cannot show properties of numbers");
  expect(await refusal.count()).toBe(hasDataTypes.value ? 0 : 1);
  expect(await readOverhang(office.page)).toBe(0);
}

const readOverhang = (place: Pick<Page, "evaluate">) =>
  place.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** How far each tab of the pane is wider than the pane, in pixels. */
export async function readOverhangs(place: Pick<Page, "evaluate" | "getByRole">): Promise<number[]> {
  const overhangs: number[] = [];
  for (const tab of await place.getByRole("tablist").first().getByRole("tab").all()) {
    await tab.click();
    overhangs.push(await readOverhang(place));
  }
  return overhangs;
}
