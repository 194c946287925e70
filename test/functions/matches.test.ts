import { afterEach, describe, expect, it } from "@jest/globals";
import { setCatalogue } from "../../src/client/messages";
import type { TaxonomyCompany, TaxonomyCompanyPage } from "../../src/contract/types";
import { adoptJapanese } from "../../src/session/japanese";
import { until } from "../support/until";
import { prepareSandbox } from "./sandbox-formulas";

let listed: TaxonomyCompany[];
const sandbox = prepareSandbox(600, async ({ read }) => {
  const list = "/asia/industry-taxonomies/v1/companies?country=JPN&company_type=PUBLIC&page_size=10000";
  listed = (await read<TaxonomyCompanyPage>(list)).data;
});
afterEach(() => setCatalogue({}));

/** The table of names once all are matched, without headers. */
async function match(
  names: unknown,
  fields: string,
  { country = "JPN", hints = null as unknown } = {},
): Promise<unknown[][]> {
  const cell = sandbox.formulas.type("COMPANY.MATCH", names, country, hints, fields, false);
  const rows = Array.isArray(names) ? names.length : 1;
  await until(() => cell.shown.at(-1)?.length === rows);
  return cell.shown.at(-1) as unknown[][];
}

/** A listed company whose name no other has, with its first word, which many have. */
function findListed(): { name: string; id: string; ticker: string; part: string; website: string } {
  const found = listed.find(
    ({ companyFormalName: name, isActive }, at) => at > 20 && isActive && name?.startsWith("株式会社"),
  );
  const { companyFormalName, companyId, tickerSymbol, companyEnglishName, website } = found as TaxonomyCompany;
  const [part = ""] = (companyEnglishName ?? "").split(" ");
  return { name: companyFormalName ?? "", id: companyId, ticker: tickerSymbol ?? "", part, website: website ?? "" };
}

const NOT_AVAILABLE = { type: "Error", basicValue: "#N/A", errorType: "NotAvailable" };
const isError = (code: string) => expect.stringContaining(code);

describe("FEED.COMPANY.MATCH", () => {
  it("gives a row for each cell, whatever it holds", async () => {
    const { name, id } = findListed();
    const cells = [name, "", null, 0, " ", 45_123, true, "x".repeat(301), NOT_AVAILABLE, name];
    expect(
      await match(
        cells.map((cell) => [cell]),
        "companyId,state,sameAs",
      ),
    ).toEqual([
      [id, "exact", ""],
      ["", "", ""],
      ["", "", ""],
      ["", "", ""],
      ["", "", ""],
      [isError('FEED_NO_VALUE: no company is named like "45123"'), "none", ""],
      Array(3).fill(isError("FEED_ARGUMENT_INVALID: names must be text, not TRUE")),
      Array(3).fill(isError("FEED_ARGUMENT_INVALID: names must be a company's name, ticker")),
      Array(3).fill("#N/A"),
      [id, "exact", 1],
    ]);
  });

  it("leaves a hint that is an error or no text out", async () => {
    const { part, ticker, name } = findListed();
    const hints = [
      [NOT_AVAILABLE, ticker],
      [true, `${ticker}.T`],
      [Number(ticker) || ticker, null],
    ];
    const rows = await match([[part], [part], [part]], "candidates", { hints });
    expect(rows).toEqual(Array(3).fill([expect.stringContaining(name)]));
  });

  it("says at once that a field is misspelt, and reads no index for it", async () => {
    const [[shown] = []] = await match("Sakura", "companyID, tickerr");
    expect(shown).toEqual(isError('FEED_ARGUMENT_INVALID: there is no field "tickerr"; the closest is "tickerSymbol"'));
    expect(sandbox.companion.controls.requests).toEqual([]);
  });

  it("gives each field of a company that the workbook keeps, or says that its index is needed", async () => {
    const { id, ticker } = findListed();
    const { resolutions } = sandbox.formulas.session.feed;
    resolutions.record({ name: "Kirsche", country: "JPN", companyId: id, companyName: "Chosen" });
    const fields = "companyId,companyName,tickerSymbol,state,reason";
    sandbox.companion.controls.answers = { listTaxonomyCompanies: { status: 400, times: Number.POSITIVE_INFINITY } };
    const cell = sandbox.formulas.type("COMPANY.MATCH", "Kirsche", "JPN", null, fields, false);
    expect(await cell.next()).toEqual([[id, "Chosen", isError("FEED_INDEX_NOT_READY"), "exact", "workbook"]]);
    sandbox.companion.controls.answers = {};
    await sandbox.formulas.session.feed.nameIndexes.build("JPN");
    expect(await cell.next()).toEqual([[id, expect.any(String), ticker, "exact", "workbook"]]);
  });

  it("gives no company where a person decided that there is none, and neither do other formulas", async () => {
    const { name } = findListed();
    const { resolutions } = sandbox.formulas.session.feed;
    resolutions.record({ name, country: "JPN", companyId: "", companyName: "" });
    const error = isError(`FEED_NO_VALUE: "${name}" has no company, by a choice kept in this workbook`);
    expect(await match([[name]], "companyId,state,score,reason,closestId,candidates")).toEqual([
      [error, "none", "", "workbook", "", ""],
    ]);
    const others = [
      sandbox.formulas.type("COMPANY.ID", name),
      sandbox.formulas.type("FINANCIAL", name, 2023, "Revenue"),
      sandbox.formulas.type("CLASSIFICATION", name, "tickerSymbol"),
    ];
    for (const cell of others) expect(await cell.next()).toEqual([[error]]);
    expect(resolutions.list()).toHaveLength(1);
  });

  it("reads a country in any letter case, and says which one has no company", async () => {
    const { name } = findListed();
    for (const country of ["jpn", " Jpn ", "all"]) expect(await match(name, "state", { country })).toEqual([["exact"]]);
    expect(await match(name, "state", { country: "ZZZ" })).toEqual([["none"]]);
    expect(await match(name, "state", { country: "Japan" })).toEqual([
      [isError("FEED_ARGUMENT_INVALID: country must be a code of three letters")],
    ]);
  });

  it("is matched anew in the country that the settings come to name", async () => {
    const { name } = findListed();
    sandbox.formulas.session.change({ country: "SGP" });
    const cell = sandbox.formulas.type("COMPANY.MATCH", name, null, null, "state", false);
    expect(await cell.next()).toEqual([["none"]]);
    sandbox.formulas.session.change({ country: "JPN" });
    expect(await cell.next()).toEqual([["exact"]]);
  });

  it("gives reasons in Japanese, also those that were shown before the messages came", async () => {
    const { name } = findListed();
    const cell = sandbox.formulas.type("COMPANY.MATCH", [[name], ["Qqzzxv"]], "JPN", null, "state,reason", false);
    expect(await cell.next()).toEqual([
      ["exact", "same name, legalForm"],
      ["none", "no similar name"],
    ]);
    await adoptJapanese(sandbox.formulas.session);
    expect(await cell.next()).toEqual([
      ["exact", "名称が同じ, 法人形態"],
      ["none", "似た名称なし"],
    ]);
  });
});
