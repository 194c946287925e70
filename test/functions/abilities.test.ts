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
  ["1.15", { formats: false, properties: false }],
  ["1.16", { formats: true, properties: false }],
  ["1.18", { formats: true, properties: false }],
  ["1.19", { formats: true, properties: true }],
  ["1.20", { formats: true, properties: true }],
])("reads the data types of a host with ExcelApi %s, and queries Office once", async (excelApi, abilities) => {
  await installOffice(excelApi);
  const { readAbilities } = loadHost();
  const isSetSupported = jest.spyOn(Office.context.requirements, "isSetSupported");
  expect(readAbilities()).toEqual(abilities);
  const callsBefore = isSetSupported.mock.calls.length;
  expect(readAbilities()).toEqual(abilities);
  expect([callsBefore, isSetSupported.mock.calls.length]).toEqual([2, 2]);
});

it("supports plain values alone without Office, and queries again once it is loaded", async () => {
  const { PLAIN, readAbilities } = loadHost();
  expect(readAbilities()).toEqual(PLAIN);
  Object.assign(globalThis, { Office: {} });
  expect(readAbilities()).toEqual(PLAIN);
  await installOffice("1.19");
  expect(readAbilities()).toEqual({ formats: true, properties: true });
});
