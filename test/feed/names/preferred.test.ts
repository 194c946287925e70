import { expect, it } from "@jest/globals";
import { listPreferred, type NameChoice, queryNamed } from "../../../src/feed/names/preferred";

const JAPANESE = "さくら食品株式会社";
const ENGLISH = "Sakura Foods Co., Ltd.";
const CLASSIFIED = {
  companyFormalName: JAPANESE,
  companyLegalName: JAPANESE,
  companyEnglishName: ENGLISH,
  companyInformalName: "Sakura",
};
const VIETNAMESE = { companyFormalName: "Công ty Sao Biển", companyEnglishName: "Sao Bien JSC" };

it.each<[string, Record<string, unknown>, NameChoice, string[]]>([
  ["the provider's, first", { ...CLASSIFIED, companyName: ENGLISH }, "provider", [ENGLISH, JAPANESE, "Sakura"]],
  ["the formal one where there is no other", CLASSIFIED, "provider", [JAPANESE, ENGLISH, "Sakura"]],
  ["the English one", { ...CLASSIFIED, companyName: JAPANESE }, "en", [ENGLISH, JAPANESE, "Sakura"]],
  ["the Japanese one", { ...CLASSIFIED, companyName: ENGLISH }, "ja", [JAPANESE, ENGLISH, "Sakura"]],
  [
    "the private record's of two in English",
    { ...CLASSIFIED, companyName: "Sakura Inc." },
    "en",
    ["Sakura Inc.", ENGLISH],
  ],
  ["the provider's where none is Japanese", VIETNAMESE, "ja", ["Công ty Sao Biển", "Sao Bien JSC"]],
  ["the English one, not another in Latin letters", VIETNAMESE, "en", ["Sao Bien JSC", "Công ty Sao Biển"]],
  ["the other where none is English", { companyName: JAPANESE }, "en", [JAPANESE]],
  ["the other where none is Japanese", { companyName: ENGLISH }, "ja", [ENGLISH]],
  ["an informal one last", { companyInformalName: "サクラ", companyLegalName: ENGLISH }, "ja", [ENGLISH, "サクラ"]],
  ["none", { companyName: null, companyLegalName: "" }, "en", []],
])("a company is shown by %s", (_, row, choice, names) => {
  expect(listPreferred(row, choice).slice(0, names.length)).toEqual(names);
  if (names.length === 0) expect(listPreferred(row, choice)).toEqual([]);
});

it("a record's own name in the language is the one that all records together give", () => {
  const names = [ENGLISH, JAPANESE, "Sakura Inc.", "SMC株式会社", "Sao Biển"];
  const toShown = (choice: NameChoice) =>
    names.map((companyName) => listPreferred({ ...CLASSIFIED, companyName }, choice)[0]);
  expect(toShown("provider")).toEqual(names);
  expect(toShown("en")).toEqual([ENGLISH, ENGLISH, "Sakura Inc.", ENGLISH, ENGLISH]);
  expect(toShown("ja")).toEqual([JAPANESE, JAPANESE, JAPANESE, "SMC株式会社", JAPANESE]);
});

it.each<[NameChoice, string]>([
  ["en", ENGLISH],
  ["ja", JAPANESE],
])("a record without a name has its classification's in the language: %s", async (choice, name) => {
  const record = { key: ["getCompany", "1"], load: async () => ({ id: "1", companyName: null }) };
  const taxonomies = { query: () => ({ key: ["getTaxonomyCompany", "1"], load: async () => CLASSIFIED }) };
  const queryCache = { wait: (query: typeof record) => query.load() };
  const shown = await queryNamed({ queryCache, taxonomies } as never, record, choice).load({} as never);
  expect(shown).toEqual({ id: "1", companyName: name });
});
