import { afterEach, describe, expect, it } from "@jest/globals";
import { setCatalogue } from "../../src/client/messages";
import type { TaxonomyCompanyPage } from "../../src/contract/types";
import { adoptJapanese } from "../../src/session/japanese";
import { prepareSandbox } from "./sandbox-formulas";

/** A listed company whose name no other has. */
let name: string;
let id: string;
let ticker: string;
const sandbox = prepareSandbox(60, async ({ read }) => {
  const list = "/asia/industry-taxonomies/v1/companies?country=JPN&company_type=PUBLIC&page_size=10000";
  const { data } = await read<TaxonomyCompanyPage>(list);
  const found = data.find((each, at) => at > 20 && each.isActive && each.companyFormalName?.startsWith("株式会社"));
  [name, id, ticker] = [String(found?.companyFormalName), String(found?.companyId), String(found?.tickerSymbol)];
});
afterEach(() => setCatalogue({}));

const type = (names: unknown, fields: string, country: unknown = "JPN") =>
  sandbox.formulas.type("COMPANY.MATCH", names, country, null, fields, false);
const isError = (code: string) => expect.stringContaining(code);

describe("FEED.COMPANY.MATCH", () => {
  it("gives each field of a company that the workbook keeps, or says that its index is needed", async () => {
    const { resolutions } = sandbox.formulas.session.feed;
    resolutions.record({ name: "Kirsche", country: "JPN", companyId: id, companyName: "Chosen" });
    const fields = "companyId,companyName,tickerSymbol,state,reason";
    sandbox.companion.controls.answers = { listTaxonomyCompanies: { status: 400, times: Number.POSITIVE_INFINITY } };
    const cell = type("Kirsche", fields);
    expect(await cell.next()).toEqual([[id, "Chosen", isError("FEED_INDEX_NOT_READY"), "exact", "workbook"]]);
    sandbox.companion.controls.answers = {};
    await sandbox.formulas.session.feed.nameIndexes.build("JPN");
    expect(await cell.next()).toEqual([[id, expect.any(String), ticker, "exact", "workbook"]]);
  });

  it("gives no company where a person decided that there is none, and neither do other formulas", async () => {
    const { resolutions } = sandbox.formulas.session.feed;
    resolutions.record({ name, country: "JPN", companyId: "", companyName: "" });
    const error = isError(`FEED_NO_VALUE: "${name}" has no company, by a choice kept in this workbook`);
    const fields = "companyId,state,score,reason,closestId,candidates";
    expect(await type(name, fields).next()).toEqual([[error, "none", "", "workbook", "", ""]]);
    const others = [
      sandbox.formulas.type("COMPANY.ID", name),
      sandbox.formulas.type("FINANCIAL", name, 2023, "Revenue"),
      sandbox.formulas.type("CLASSIFICATION", name, "tickerSymbol"),
    ];
    for (const cell of others) expect(await cell.next()).toEqual([[error]]);
    expect(resolutions.list()).toHaveLength(1);
  });

  it("is matched anew in the country that the settings come to name", async () => {
    sandbox.formulas.session.change({ country: "SGP" });
    const cell = type(name, "state", null);
    expect(await cell.next()).toEqual([["none"]]);
    sandbox.formulas.session.change({ country: "JPN" });
    expect(await cell.next()).toEqual([["exact"]]);
  });

  it("gives reasons in Japanese, also those that were shown before the messages came", async () => {
    const cell = type([[name], ["Qqzzxv"]], "state,reason");
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
