import { afterEach, expect, it, jest } from "@jest/globals";
import { installOffice } from "../support/formula-cells";

/** The host as newly loaded sources see it. */
function loadHost(): typeof import("../../src/functions/cells") {
  let host = {} as typeof import("../../src/functions/cells");
  jest.isolateModules(() => {
    host = require("../../src/functions/cells");
  });
  return host;
}

afterEach(() => {
  Object.assign(globalThis, { Office: undefined });
});

it.each([
  ["1.15", "1.5", { formats: false, properties: false }],
  ["1.16", "1.4", { formats: true, properties: false }],
  ["1.18", "1.5", { formats: true, properties: false }],
  ["1.19", "1.4", { formats: true, properties: true }],
  ["1.20", "1.5", { formats: true, properties: true }],
  ["1.17", "1.3", { formats: false, properties: false }],
  ["1.20", "1.3", { formats: false, properties: false }],
])(
  "reads the data types of a host with ExcelApi %s and CustomFunctionsRuntime %s, and queries Office once",
  async (excelapi, customfunctionsruntime, abilities) => {
    await installOffice({ excelapi, customfunctionsruntime });
    const { readAbilities } = loadHost();
    const isSetSupported = jest.spyOn(Office.context.requirements, "isSetSupported");
    expect(readAbilities()).toEqual(abilities);
    const callsBefore = isSetSupported.mock.calls.length;
    expect(readAbilities()).toEqual(abilities);
    expect(callsBefore).toBeGreaterThan(0);
    expect(isSetSupported.mock.calls.length).toBe(callsBefore);
  },
);

it("supports plain values alone without Office, and queries again once it is loaded", async () => {
  const { PLAIN, readAbilities } = loadHost();
  expect(readAbilities()).toEqual(PLAIN);
  Object.assign(globalThis, { Office: {} });
  expect(readAbilities()).toEqual(PLAIN);
  await installOffice({ excelapi: "1.19" });
  expect(readAbilities()).toEqual({ formats: true, properties: true });
});
