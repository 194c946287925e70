import { beforeAll, describe, expect, it } from "@jest/globals";
import { readCells, readCompany, readNames, readText, readUnit, toCompanies } from "../../src/functions/arguments";
import { PassedError } from "../../src/functions/cells";
import { readPageType } from "../../src/functions/views/page-types";
import { readHeaders, readTop } from "../../src/functions/views/table-arguments";
import { installCustomFunctions } from "../office/custom-functions";
import rows from "./arguments.json";

beforeAll(installCustomFunctions);

const ID = "3D1ce6e7-7fd1-463c-ab13-8646d111213d";

describe("an argument that is a formatted number", () => {
  const formatted = { type: "FormattedNumber", basicValue: 5, numberFormat: "0.0" };

  it.each([
    ["with a format", formatted],
    ["with properties", { type: "Double", basicType: "Double", basicValue: 5, properties: {} }],
    ["in a range", [[formatted]]],
  ])("reads as its number: %s", (_, argument) => {
    expect([readTop(argument, 100), readUnit(argument), readText(argument, "text")]).toEqual([5, 5, "5"]);
    expect(readCells([[argument]], (value) => value)).toEqual([[{ kind: "value", value: 5 }]]);
  });

  it("is rejected if it is an entity whose value is an error", () => {
    const entity = { type: "Entity", basicType: "Error", basicValue: "#VALUE!", text: "Ono" };
    expect(() => readTop(entity, 100)).toThrow(PassedError);
  });
});

describe("company", () => {
  it.each([
    [ID, { companyId: ID }],
    [` ${ID} `, { companyId: ID }],
    ["0104-01-056795", { registrationNumber: "0104-01-056795" }],
    [9530193052711, { registrationNumber: "9530193052711" }],
    ["9530193052711", { registrationNumber: "9530193052711" }],
    ["U74999MH2016PTC123456", { registrationNumber: "U74999MH2016PTC123456" }],
    ["さくら食品 ", { name: "さくら食品", country: "JPN" }],
    ["JPN:7203", { name: "JPN:7203", country: "JPN" }],
    [7203, { name: "7203", country: "JPN" }],
    ["Studio 20260101", { name: "Studio 20260101", country: "JPN" }],
  ])("accepts %p", (value, company) => {
    expect(readCompany(value, "JPN")).toEqual(company);
  });

  it.each([[1.5], [-3], [2 ** 60], [true], ["x".repeat(301)], ["a\u0000b"], [{}]])("rejects %p", (value) => {
    expect(() => readCompany(value, "JPN")).toThrow(
      /company must be a company's name, ticker, registration number or id/,
    );
  });

  it("keeps the comma before a legal form", () => {
    expect(toCompanies("Sakura Foods Co., Ltd., 7203,Acme, Inc.", "company")).toEqual([
      ["Sakura Foods Co., Ltd."],
      ["7203"],
      ["Acme, Inc."],
    ]);
  });
});

describe.each([
  ["top", (given: unknown) => readTop(given, 100), rows.top],
  ["unit", readUnit, rows.unit],
  ["headers", readHeaders, rows.headers],
  ["pagetype", (given: unknown) => readPageType(given)?.key ?? null, rows.pagetype],
])("%s", (_name, read: (given: unknown) => unknown, { accepted, rejected, message }) => {
  it.each<unknown[]>(accepted)("reads %p as %p", (given, value) => {
    expect(read(given)).toBe(value);
  });

  it.each<unknown>(rejected)("rejects %p", (given) => {
    expect(() => read(given)).toThrow(message);
  });
});

describe("a list of names", () => {
  it("can be comma text or a range with blanks", () => {
    expect(readNames("a, b,,c", "fields")).toEqual(["a", "b", "c"]);
    expect(
      readNames(
        [
          ["a", ""],
          [0, "b,c"],
          [null, " "],
        ],
        "fields",
      ),
    ).toEqual(["a", "b", "c"]);
    expect([null, "", 0, [[0]]].map((value) => readNames(value, "fields"))).toEqual([null, null, null, null]);
  });

  it("rejects TRUE", () => {
    expect(() => readNames(true, "fields")).toThrow(/fields must be text, not TRUE/);
  });

  it("accepts a number as text", () => {
    expect(readText(2024, "by")).toBe("2024");
  });
});

describe("an error in an argument", () => {
  it.each([
    ["an error of the genuine runtime", () => new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable)],
    ["as a data type", () => ({ type: "Error", basicType: "Error", basicValue: "#N/A" })],
  ])("is passed on: %s", (_, create) => {
    expect(() => readTop(create(), 1)).toThrow(PassedError);
    expect(() => readUnit([[create()]])).toThrow(PassedError);
  });

  it("affects its own cell of a range alone", () => {
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    const readings = readCells(
      [
        ["a", bad, null],
        [0, "", true],
      ],
      (value) => readCompany(value, "JPN"),
    );
    expect(readings.map((row) => row.map(({ kind }) => kind))).toEqual([
      ["value", "error", "blank"],
      ["blank", "blank", "error"],
    ]);
  });
});
