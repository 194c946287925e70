import { beforeAll, describe, expect, it } from "@jest/globals";
import { readCells, readCompany, readNames, readText, readUnit, toCompanies } from "../../src/functions/arguments";
import { PassedError } from "../../src/functions/cells";
import { readHeaders, readTop } from "../../src/functions/views/table-arguments";
import { installCustomFunctions } from "../office/custom-functions";

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

describe("top", () => {
  it.each([
    [null, 100],
    [0, 100],
    ["", 100],
    [[[null]], 100],
    [5, 5],
    ["5", 5],
    ["ALL", "all"],
    [[["all"]], "all"],
  ])("reads %p as %p", (value, top) => {
    expect(readTop(value, 100)).toBe(top);
  });

  it.each([-1, 1.5, "five", true, "1e400"])("rejects %p", (value) => {
    expect(() => readTop(value, 100)).toThrow(/top must be a whole number from 1, or "all"/);
  });
});

describe("unit", () => {
  it.each([
    [null, 1],
    [0, 1],
    ["", 1],
    ["k", 1e3],
    ["M", 1e6],
    [" bn ", 1e9],
    [12, 12],
    ["1000", 1000],
    [1e-12, 1e-12],
    [1e15, 1e15],
  ])("divides by %p: %d", (value, divisor) => {
    expect(readUnit(value)).toBe(divisor);
  });

  it.each(["million", -1, true, "1e400", 1e-320, "9e-13", 1.1e15])("rejects %p", (value) => {
    expect(() => readUnit(value)).toThrow(/unit must be "k", "m", "bn" or a number from 1e-12 to 1e15 to divide by/);
  });
});

describe("headers", () => {
  it.each([
    [null, true],
    ["", true],
    [true, true],
    [false, false],
    [0, true],
    [1, true],
    ["false", false],
    ["TRUE", true],
  ])("reads %p as %p", (value, headers) => {
    expect(readHeaders(value)).toBe(headers);
  });

  it("rejects any other value", () => {
    expect(() => readHeaders("no")).toThrow(/headers must be TRUE or FALSE/);
    expect(() => readHeaders(2)).toThrow(/headers must be TRUE or FALSE/);
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
