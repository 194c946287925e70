import { COMPANY_FIELDS } from "../feed/field-tables";
import { type FormulaReference, LIST_REQUESTS, LOOKUP_ERRORS } from "./formula";

/** The formulas of the private companies (§4.2). */
export const COMPANY_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  COMPANY: {
    gives: { en: "one field of a company, a grid of them, or a card", ja: "企業の項目 1 つ、その表、またはカード" },
    requests: {
      en: "one per company, however many fields and cells, by id or by registration number",
      ja: "1 社につき 1 回（項目やセルの数、ID か登録番号かによらない）",
    },
    examples: [
      {
        formula: '=FEED.COMPANY("Komorebi Education Inc.")',
        shows: { en: "The company's card: field and value", ja: "企業のカード（項目と値）" },
      },
      {
        formula: '=FEED.COMPANY("Komorebi Education Inc.", "registeredAddress.city")',
        shows: { en: "One field", ja: "項目 1 つ" },
      },
      {
        formula:
          '=FEED.COMPANY("9530193052711,7280102827537", "companyName,registeredAddress.city,employees.nonConsolidated.employeeCount")',
        shows: {
          en: "Two companies by their registration numbers down, three fields across",
          ja: "登録番号で指定した 2 社を縦に、3 項目を横に並べる",
        },
      },
      {
        formula: '=FEED.COMPANY("Komorebi Education Inc.", "industryClassifications")',
        shows: { en: "A list as a table: a row for every code", ja: "一覧の項目を表にする（コードごとに 1 行）" },
      },
    ],
    errors: LOOKUP_ERRORS,
    fields: COMPANY_FIELDS,
  },
  COMPANIES: {
    gives: { en: "private companies of a country", ja: "ある国の非上場企業" },
    requests: LIST_REQUESTS,
    examples: [
      {
        formula: '=FEED.COMPANIES("JPN", , 20)',
        shows: { en: "The first twenty companies of Japan", ja: "日本の企業の先頭 20 社" },
      },
      {
        formula: '=FEED.COMPANIES("SGP", , 20, "companyName,registeredAddress.city,dateOfRegistration")',
        shows: { en: "Twenty companies of Singapore, in three columns", ja: "シンガポールの企業 20 社を 3 列で表示" },
      },
      {
        formula: '=FEED.COMPANIES("ALL", "9530193052711")',
        shows: {
          en: "The company with this registration number, in any country",
          ja: "この登録番号の企業（国を問わない）",
        },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_REQUEST_INVALID", "FEED_RESULT_TOO_LARGE"],
    fields: COMPANY_FIELDS,
  },
};
