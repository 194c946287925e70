import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Company, CompanyPage } from "../../src/contract/types";
import { COMPANY_FIELDS } from "../../src/feed/field-tables";
import { isPlain } from "../../src/feed/fields";
import { toSerial } from "../../src/functions/dates";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";

let companion: RunningCompanion;
let direct: Company[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion({ companies: 300 });
  const read = await createDirectReading(companion.origin);
  const page = "/asia/private-markets/v1/companies?country=ALL&page_size=50";
  direct = (await read<CompanyPage>(page)).data;
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = async (...parameters: unknown[]) => formulas.type("COMPANY", ...parameters).next();
const showOne = async (...parameters: unknown[]) => (await show(...parameters))[0]?.[0];
const at = (index: number) => direct[index] as Company;
const requests = () =>
  companion.controls.requests.map(({ operationId }) => operationId).filter((id) => id !== "createToken");

describe("FEED.COMPANY", () => {
  it("gives a field by id, by registration number and by a number with the same digits", async () => {
    const japanese = direct.find(({ registrationNumber }) => /^[1-9]\d+$/.test(String(registrationNumber))) as Company;
    const name = [["companyName"]];
    expect(await showOne([[japanese.id]], name)).toBe(japanese.companyName);
    expect(await showOne([[` ${japanese.registrationNumber} `]], name)).toBe(japanese.companyName);
    expect(await showOne([[Number(japanese.registrationNumber)]], name)).toBe(japanese.companyName);
    expect(requests()).toEqual(["getCompany", "searchCompanies"]);
  });

  it("costs one request for 20 fields of one company in 20 cells", async () => {
    const fields = COMPANY_FIELDS.filter((field) => isPlain(field, COMPANY_FIELDS)).slice(0, 20);
    const cells = fields.map(({ name }) => formulas.type("COMPANY", [[at(0).id]], [[name]]));
    await Promise.all(cells.map((cell) => cell.next()));
    expect(requests()).toEqual(["getCompany"]);
  });

  it("costs one request by registration number, since the search returns the company", async () => {
    const cells = ["companyName", "websiteUrl", "employees"].map((field) =>
      formulas.type("COMPANY", [[at(0).registrationNumber]], [[field]]),
    );
    await Promise.all(cells.map((cell) => cell.next()));
    expect(requests()).toEqual(["searchCompanies"]);
  });

  it("does not resolve a registration number again at a refresh", async () => {
    const cell = formulas.type("COMPANY", [[at(0).registrationNumber]], [["employees.nonConsolidated.employeeCount"]]);
    const [[before]] = (await cell.next()) as [[number]];
    companion.controls.reset();
    companion.controls.perturb = (value) => value + 1;
    await formulas.session.refresh();
    expect(await cell.next()).toEqual([[before + 1]]);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(0);
    expect(companion.controls.count("searchCompanies")).toBe(0);
  });

  it("resolves a number by financials if the search is forbidden, and fails if both are", async () => {
    companion.controls.answers.searchCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    expect(await showOne([[at(0).registrationNumber]], [["companyName"]])).toBe(at(0).companyName);
    expect(requests()).toEqual(["searchCompanies", "getFinancialsOfMany", "getCompany"]);
    companion.controls.answers.getFinancialsOfMany = { status: 403, times: Number.POSITIVE_INFINITY };
    expect(await showOne([[at(1).registrationNumber]], [["companyName"]])).toMatch(/^#N\/A FEED_SCOPE_MISSING: /);
  });

  it("spills a column of companies over a row of fields, reading each company once", async () => {
    const fields = ["companyName", "registeredAddress.city"];
    const grid = await show([[at(0).id], [at(1).id.toUpperCase()], [at(1).id]], [fields]);
    expect(grid).toEqual([at(0), at(1), at(1)].map((row) => [row.companyName, row.registeredAddress?.city]));
    expect(requests()).toEqual(["getCompany", "getCompany"]);
  });

  it('takes companies and fields as comma text, and "all" as every plain field', async () => {
    const grid = await show([[`${at(0).id}, ${at(1).id}`]], [["id, company name"]]);
    expect(grid).toEqual([at(0), at(1)].map((row) => [row.id, row.companyName]));
    const plain = COMPANY_FIELDS.filter((field) => isPlain(field, COMPANY_FIELDS));
    const [row] = await show([[at(0).id]], [["ALL"]]);
    expect(row).toHaveLength(plain.length);
    expect(row?.slice(0, 3)).toEqual([at(0).id, at(0).registrationNumber, at(0).companyName]);
  });

  it("leaves blank cells of a range blank; an invalid cell affects itself alone", async () => {
    const error = new CustomFunctions.Error(CustomFunctions.ErrorCode.divisionByZero);
    const unknown = "00000000-0000-4000-8000-000000000000";
    const grid = await show(
      [[at(0).id], [null], [unknown], [true], [error], [""]],
      [["companyName", 0, "compannyName"]],
    );
    expect(grid).toEqual([
      [
        at(0).companyName,
        "",
        expect.stringMatching(/^#VALUE! .*no field "compannyName"; the closest is "companyName"$/),
      ],
      ["", "", ""],
      [expect.stringMatching(/^#N\/A FEED_NOT_FOUND: /), "", expect.stringMatching(/^#N\/A FEED_NOT_FOUND: /)],
      Array(3).fill(expect.stringMatching(/^#VALUE! .*company must be/)),
      Array(3).fill("#DIV/0!"),
    ]);
  });

  it.each([[null], [0], [""], [" , "]])(
    "without a field (%j) gives a card of every plain field and both lists",
    async (field) => {
      const card = await show([[at(0).id]], [[field]]);
      const plain = COMPANY_FIELDS.filter((each) => isPlain(each, COMPANY_FIELDS)).map(({ header }) => header);
      expect(card.map(([header]) => header)).toEqual([...plain, "Representatives", "Industry classifications"]);
      const values = new Map(card as [string, unknown][]);
      expect(values.get("Company")).toBe(at(0).companyName);
      expect(values.get("Employees (consolidated)")).toBe(at(0).employees?.consolidated?.employeeCount ?? "");
      expect(values.get("Registered on")).toBe(toSerial(at(0).dateOfRegistration as string, 1900));
      const people = at(0).representatives ?? [];
      expect(values.get("Representatives")).toBe(
        people.map(({ fullName, role }) => `${fullName} (${role})`).join("; "),
      );
      const shown = JSON.stringify(card);
      for (const { email, phone, dob } of people) {
        for (const personal of [email, phone, dob]) expect(shown).not.toContain(personal);
      }
    },
  );

  it("requires a field for several companies", async () => {
    expect(await show([[at(0).id], [at(1).id]])).toEqual([
      [expect.stringMatching(/^#VALUE! FEED_ARGUMENT_INVALID: field is missing; name one/)],
    ]);
    expect(requests()).toEqual([]);
  });

  it("spills a list as a table without contact data", async () => {
    const people = at(0).representatives ?? [];
    expect(await show([[at(0).id]], [["representatives"]])).toEqual([
      ["Name", "Role"],
      ...people.map(({ fullName, role }) => [fullName, role]),
    ]);
  });

  it("spills the codes of each classification standard, one a row", async () => {
    const codes = (at(0).industryClassifications ?? []).flatMap(({ standard, codes }) =>
      (codes ?? []).map(({ code, description }) => [standard, code, description]),
    );
    expect(await show([[at(0).id]], [["industryClassifications"]])).toEqual([
      ["Standard", "Code", "Description"],
      ...codes,
    ]);
    expect(await show([[at(0).id]], [["industryClassifications.codes"]])).toEqual([
      ["Code", "Description"],
      ...codes.map(([, ...code]) => code),
    ]);
    expect(await show([[at(0).id]], [["industryClassifications.codes.description"]])).toEqual(
      codes.map(([, , description]) => [description]),
    );
  });

  it("spills a list's field as a column, including contact data by name", async () => {
    const people = at(0).representatives ?? [];
    for (const [field, values] of [
      ["representatives.fullName", people.map(({ fullName }) => [fullName])],
      ["representatives.email", people.map(({ email }) => [email])],
      ["representatives.dob", people.map(({ dob }) => [toSerial(dob as string, 1900)])],
    ] as const) {
      expect(await show([[at(0).id]], [[field]])).toEqual(values);
    }
  });

  it("spills an object as a card of its fields", async () => {
    const address = at(0).registeredAddress;
    expect(await show([[at(0).id]], [["registeredAddress"]])).toEqual([
      ["Address line 1", address?.line1],
      ["Address line 2", address?.line2 ?? ""],
      ["City", address?.city],
      ["Country", address?.country],
      ["Postal code", address?.postalCode],
    ]);
    const numbers = await show([[at(0).id]], [["employees.nonConsolidated"]]);
    expect(numbers[0]).toEqual(["Employees (non-consolidated)", at(0).employees?.nonConsolidated?.employeeCount]);
  });

  it.each(["representatives", "representatives.email", "industryClassifications.codes", "employees"])(
    "refuses %p in a grid, in its own cell",
    async (field) => {
      expect(await show([[at(0).id]], [[field, "id"]])).toEqual([
        [
          expect.stringMatching(/^#VALUE! .* several values per company; ask for it alone and for one company$/),
          at(0).id,
        ],
      ]);
    },
  );

  it("has no value for an absent single field, and an empty cell in a grid", async () => {
    const without = direct.find(({ employees }) => employees?.consolidated === null) as Company;
    for (const field of ["employees.consolidated", "employees.consolidated.employeeCount"]) {
      expect(await showOne([[without.id]], [[field]])).toMatch(/^#N\/A FEED_NO_VALUE: the provider gives no employees/);
    }
    expect(await show([[without.id]], [["employees.consolidated.employeeCount", "id"]])).toEqual([["", without.id]]);
  });

  it.each([
    [[null], ["id"], /company is missing; give a company's name, ticker, registration number or id/],
    [[0], ["id"], /company is missing/],
    [[""], ["id"], /company is missing/],
    [[","], ["id"], /company is missing/],
    [[1.5], ["id"], /company must be a company's name, ticker, registration number or id, not 1.5/],
    [[false], ["id"], /company must be a company's name, ticker, registration number or id, not FALSE/],
    [["a"], [7], /field must be a name such as "companyName", not 7/],
    [["a"], [true], /field must be a name such as "companyName", not TRUE/],
    [["a", "b"], ["id", "companyName", "websiteUrl"], /the ranges do not fit together/],
  ])("of %j and field %j is #VALUE! with what is accepted", async (company, field, text) => {
    const shown = await showOne([company], [field]);
    expect(shown).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: /);
    expect(shown).toMatch(text);
  });

  it("passes on an error in an argument", async () => {
    const error = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    expect(await showOne([[error]], [["id"]])).toBe("#N/A");
    expect(await showOne([[at(0).id]], [[error]])).toBe("#N/A");
  });
});
