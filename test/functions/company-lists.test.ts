import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Company, CompanyPage } from "../../src/contract/types";
import { COMPANY_FIELDS } from "../../src/feed/field-tables";
import { isPlain } from "../../src/feed/fields";
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

const at = (index: number) => direct[index] as Company;
const requests = () =>
  companion.controls.requests.map(({ operationId }) => operationId).filter((id) => id !== "createToken");

describe("FEED.COMPANIES", () => {
  const list = async (...parameters: unknown[]) => {
    const cell = formulas.type("COMPANIES", ...parameters);
    return cell.next();
  };

  it("gives all companies of a country under a header", async () => {
    const [header, ...rows] = await list("jpn");
    expect(header).toEqual([
      "Company id",
      "Registration number",
      "Company",
      "City",
      "Country",
      "Legal structure",
      "Registered on",
      "Website",
      "Employees (non-consolidated)",
    ]);
    expect(new Set(rows.map((row) => row[4]))).toEqual(new Set(["JPN"]));
    const first = direct.find(({ registeredAddress }) => registeredAddress?.country === "JPN");
    expect(rows[0]?.[0]).toBe(first?.id);
    expect(requests()).toEqual(["searchCompanies"]);
  });

  it("sends country, identifier and sort as written, and requests only the rows needed", async () => {
    await list("ALL", at(3).registrationNumber, 7, null, "-companyName");
    const url = new URL(companion.controls.requests.at(-1)?.url as string, "http://localhost");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      country: "ALL",
      identifier: at(3).registrationNumber,
      sort: "-companyName",
      page: "1",
      page_size: "7",
    });
  });

  it("filters by an identifier, and has no value if no company matches", async () => {
    expect(await list("ALL", at(3).registrationNumber, null, [["id"]], null, false)).toEqual([[at(3).id]]);
    expect(await list("ALL", "no such")).toEqual([
      [
        expect.stringMatching(
          /^#N\/A FEED_NO_VALUE: no company of any country has the identifier "no such"; check it$/,
        ),
      ],
    ]);
  });

  it("shows the provider's message when it refuses a sort", async () => {
    expect((await list("ALL", null, 1, null, "Shoe size"))[0]?.[0]).toMatch(
      /^#VALUE! FEED_REQUEST_INVALID: .*sort must be one of/,
    );
  });

  it('takes fields as comma text or a range, omits the header on request, and reads "all" as every plain field', async () => {
    const expected = [at(0).companyName, at(0).registeredAddress?.city];
    expect(await list("ALL", 0, 1, [["companyName,registeredAddress.city"]], "", false)).toEqual([expected]);
    expect(await list("ALL", "", 1, [["companyName"], ["City"]], 0, false)).toEqual([expected]);
    const [header] = await list("ALL", null, 1, [["all"]]);
    expect(header).toEqual(
      COMPANY_FIELDS.filter((field) => isPlain(field, COMPANY_FIELDS)).map((field) => field.header),
    );
  });

  it.each([
    [["representatives"], /fields has "representatives", and a list needs a single company; use FEED.COMPANY/],
    [["id,Representatives.email"], /fields has "representatives.email", and a list needs a single company/],
    [["industryClassifications.codes.code"], /a list needs a single company/],
    [["employees"], /fields has "employees", which is several fields; name one of them after "employees."/],
    [["representatives.nationality"], /a list needs a single company/],
  ])("refuses %j without a request", async (fields, text) => {
    expect((await list("ALL", null, 1, [fields]))[0]?.[0]).toMatch(text);
    expect(requests()).toEqual([]);
  });

  it.each([
    [[null], /country is missing; give a code such as "JPN", or "ALL"/],
    [[0], /country is missing/],
    [[""], /country is missing/],
    [["Japan"], /country must be a code of three letters such as "JPN", or "ALL", not "Japan"/],
    [["JPN", true], /identifier must be text, not TRUE/],
    [["JPN", null, -1], /top must be a whole number from 1, or "all", not -1/],
    [["JPN", null, 1, [[false]]], /fields must be text, not FALSE/],
    [["JPN", null, 1, null, true], /sort must be text, not TRUE/],
    [["JPN", null, 1, null, null, "maybe"], /headers must be TRUE or FALSE, not "maybe"/],
    [["JPN", null, 1, [["cityy"]]], /there is no field "cityy"; the closest is/],
  ])("of %j is #VALUE! with what is accepted", async (parameters, text) => {
    const [[shown]] = (await list(...parameters)) as [[string]];
    expect(shown).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: /);
    expect(shown).toMatch(text);
  });

  it("passes on an error in an argument", async () => {
    const error = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    for (const place of [0, 1, 2, 4, 5]) {
      const parameters: unknown[] = ["ALL", null, 1, null, null, null];
      parameters[place] = error;
      expect(await list(...parameters)).toEqual([["#N/A"]]);
    }
  });
});
