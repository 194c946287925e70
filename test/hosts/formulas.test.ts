import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Delivery } from "../office/deliveries";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { CALLS, type Facts, readFacts } from "../support/formula-calls";
import { NAMED_HOSTS } from "./named-hosts";
import { DECLARED, type PlayedHost, playHost } from "./played-host";

let companion: RunningCompanion;
let facts: Facts;
let id: string;
let excel: PlayedHost;

beforeAll(async () => {
  companion = await startCompanion({ companies: 300 });
  facts = await readFacts(await createDirectReading(companion.origin));
  id = facts.companies[0]?.id as string;
});
afterAll(() => companion.close());

/** Whether a cell of a result is a data type: an object other than an error. */
const isDataType = (cell: unknown) =>
  typeof cell === "object" && cell !== null && (cell as { valueType?: string }).valueType !== "CustomFunctionError";

const listDataTypes = ({ value }: Delivery) => [value].flat(2).filter(isDataType);

/** Formulas with dates, which leave formatted where the host has data types. */
const DATED: readonly [name: string, given: (id: string) => unknown[]][] = [
  ["FINANCIAL", (id) => [[[id]], [["FY0"]], [["periodEnd", "Revenue"]]]],
  ["COMPANY", (id) => [[[id]]]],
  ["COMPANIES", () => ["JPN", null, 5, [["all"]]]],
  ["UNIVERSE", () => ["JPN", null, 5, [["all"]]]],
];

describe.each(NAMED_HOSTS)("in %s", (_, profile) => {
  beforeAll(async () => {
    excel = await playHost(profile, companion.origin);
  });
  afterAll(() => excel.close());

  it.each(DECLARED.map((declared) => declared.id))("FEED.%s shows the values of a direct read", async (name) => {
    const { parameters, rows } = CALLS[name]!(facts, id);
    expect(rows.flat().length).toBeGreaterThan(0);
    expect(await excel.showRows(excel.type(name, parameters), rows.length)).toEqual({ value: rows });
  });

  it.each(DATED)("FEED.%s with dates sends data types only if functions have them", async (name, toGiven) => {
    const delivery = await excel.next(excel.type(name, toGiven(id)));
    expect(delivery.ok).toBe(true);
    if (!profile.hasDataTypes.value) expect(listDataTypes(delivery)).toEqual([]);
    if (profile.hasDataTypes.value && name === "FINANCIAL") {
      expect(listDataTypes(delivery)).toEqual([expect.objectContaining({ type: "FormattedNumber" })]);
    }
  });

  it("a formula shows the same with its address and without one", async () => {
    const given = [[[id]], [["FY0"]], [["Revenue", "periodEnd"]]];
    const [known, missing] = ["Sheet1!B2", undefined].map((address) => excel.type("FINANCIAL", given, { address }));
    const withAddress = await excel.next(known as number);
    expect(await excel.next(missing as number)).toEqual(withAddress);
    expect(withAddress.value).toEqual([[expect.any(Number), expect.anything()]]);
  });

  it("two streams of equal formulas both get their values, where a host does not share them", async () => {
    const { parameters, rows } = CALLS.FINANCIAL!(facts, id);
    const cells = [1, 2].map(() => excel.type("FINANCIAL", parameters));
    const shown = await Promise.all(cells.map((cell) => excel.showRows(cell, rows.length)));
    expect(shown).toEqual([{ value: rows }, { value: rows }]);
  });
});
