import { describe, expect, it } from "@jest/globals";
import * as tables from "../../src/feed/field-tables";
import { IDS, NAMES, PARTS } from "../../src/taskpane/cell-changes";
import { RANK } from "../../src/taskpane/changes/changed-cells";

const headers = Object.values(tables)
  .filter(Array.isArray)
  .flat()
  .map((field) => field.header);

describe("the headers that identify changes", () => {
  it.each([...IDS, ...NAMES, ...PARTS, RANK])("%s is a column header of a table", (header) => {
    expect(headers).toContain(header);
  });
});
