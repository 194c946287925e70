import { describe, expect, it } from "@jest/globals";
import type { Company } from "../../src/contract/types";
import type { Row } from "../../src/feed/decode";
import { COMPANY_FIELDS } from "../../src/feed/field-tables";
import { pickField, unwind } from "../../src/feed/fields";
import { Amount, toCell, Written } from "../../src/functions/cells";
import { pickValue, showCard, showField } from "../../src/functions/views/company-card";
import data from "./company-card.json";

const full = data.company satisfies Company & Row;

const show = (row: Row, name: string) => showField(row, name).rows;
const plain = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((value) => (value instanceof Written || value instanceof Amount ? toCell(value) : value)));

/** The names of all fields of an answer. */
function listNames(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => listNames(item, path))];
  if (typeof value !== "object" || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, each]) =>
    listNames(each, path === "" ? name : `${path}.${name}`),
  );
  return [path, ...below];
}

describe("the field table of a company", () => {
  it("has exactly the fields that an answer can hold", () => {
    const names = new Set(listNames(full, "").filter((name) => name !== ""));
    expect(new Set(COMPANY_FIELDS.map(({ name }) => name))).toEqual(names);
  });

  it.each(COMPANY_FIELDS.map(({ name }) => [name]))("reads %s", (name) => {
    const values = unwind(full, name).map((each) => pickField(each, name));
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(value).toBeDefined();
    expect(show(full, name).length).toBeGreaterThan(0);
  });
});

describe("a company's field", () => {
  it.each<unknown[]>(data.fields)("%s alone gives %j", (name, rows) => {
    expect(plain(show(full, String(name)))).toEqual(rows);
  });

  const NULLABLE = COMPANY_FIELDS.map(({ name }) => [name]).filter(([name]) => name !== "id");
  it.each(NULLABLE)("%s has no value if it is null or missing", (name) => {
    const nulls = Object.fromEntries(Object.keys(full).map((each) => [each, null]));
    for (const row of [{ ...nulls, id: "a" }, { id: "a" }]) {
      expect(() => show(row, name)).toThrow(`the provider gives no ${name} of this company; name another field`);
    }
  });

  it("has no value if its list is empty or holds nulls alone", () => {
    for (const representatives of [[], [null]]) {
      expect(() => show({ representatives }, "representatives")).toThrow("no representatives of this company");
      expect(() => show({ representatives }, "representatives.fullName")).toThrow("no representatives.fullName");
    }
  });

  it("gives a classification without codes a row of its own", () => {
    const industryClassifications = [{ standard: "X", codes: null }, { standard: "Y", codes: [] }, { standard: "Z" }];
    expect(show({ industryClassifications }, "industryClassifications").map(([standard]) => standard)).toEqual([
      "Standard",
      "X",
      "Y",
      "Z",
    ]);
  });

  it("lists the fields of employees of another shape", () => {
    const of = (consolidated: unknown) => ({ employees: { consolidated } });
    expect(show(of({ headcount: { men: 3, women: 4 } }), "employees.consolidated").slice(-2)).toEqual([
      ["employees.consolidated.headcount.men", 3],
      ["employees.consolidated.headcount.women", 4],
    ]);
    expect(show(of({ headcount: 7 }), "employees.consolidated.headcount")).toEqual([[7]]);
    expect(show(of(12), "employees.consolidated")).toEqual([[12]]);
    expect(() => show(of(12), "employees.consolidated.employeeCount")).toThrow("the provider gives no");
  });

  it("accepts a list that is one object or texts", () => {
    expect(show({ representatives: { fullName: "A" } }, "representatives")).toEqual([
      ["Name", "Role"],
      ["A", undefined],
    ]);
    expect(show({ representatives: ["A", "B"] }, "representatives")).toEqual([["A"], ["B"]]);
  });

  it("can be one that only the answer has, in a list too", () => {
    const row = { moonBase: { rooms: 3 }, representatives: [{ nationality: "JPN" }, {}] };
    expect(show(row, "moonBase.rooms")).toEqual([[3]]);
    expect(show(row, "representatives.nationality")).toEqual([["JPN"], [undefined]]);
    expect(() => show(row, "representatives.nationalty")).toThrow(/no field "representatives.nationalty"; the closest/);
  });

  it("is absent in a grid without a value, and refused with several", () => {
    expect([{}, { companyName: null }].map((row) => pickValue(row, "companyName"))).toEqual([undefined, null]);
    for (const name of ["employees", "representatives", "representatives.fullName"]) {
      expect(() => pickValue(full, name)).toThrow("ask for it alone and for one company");
    }
  });
});

const card = (row: Row) => new Map(showCard(row).rows as [string, unknown][]);

it("a company's card has the same rows, empty, if every field is null or missing", () => {
  const nulls = { representatives: null, employees: null, industryClassifications: [{ codes: null }] };
  for (const row of [nulls, {}]) {
    expect([...card(row).keys()]).toEqual([...card(full).keys()]);
    expect([...card(row).values()].every((value) => value === undefined || value === "")).toBe(true);
  }
});
