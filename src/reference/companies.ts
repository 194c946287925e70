import { COMPANY_FIELDS, OFFICER_FIELDS } from "../feed/field-tables";
import {
  COMPANIES,
  COMPANY,
  COUNTRY,
  FIELDS,
  type FormulaReference,
  HEADERS,
  LIST_REQUESTS,
  LOOKUP_ERRORS,
  TOP_ALL,
} from "./formula";

/** The formulas of the private companies (§4.2). */
export const COMPANY_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  COMPANY: {
    ja: "非上場企業の項目を 1 つ返します。項目を省略すると企業のカードを返します。企業の列と項目の行を渡すと、表全体に展開されます。",
    gives: { en: "A company's profile, or a field of it", ja: "企業のプロフィール、またはその項目" },
    arguments: {
      company: { ...COMPANIES, ja: `${COMPANY.ja}。範囲も可。例：A2:A20。先頭が 0 の番号は文字列で指定してください` },
      field: {
        ja: '項目。例："companyName"、"registeredAddress.city"、"representatives"、または範囲。省略時はカード',
        ...FIELDS,
        values: "COMPANY_FIELD",
      },
    },
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
    ja: "ある国の非上場企業を表で返します。",
    gives: { en: "Private companies of a country", ja: "ある国の非上場企業" },
    arguments: {
      country: COUNTRY,
      identifier: {
        ja: '絞り込みに使う登録番号またはその他の ID。例："1234567890123"',
      },
      top: TOP_ALL,
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："companyName,registeredAddress.city"、または "all"。省略時はよく使う項目',
        values: "COMPANY_FIELD",
      },
      sort: {
        ja: "並べ替えに使う項目。書いたとおりにデータ提供元へ渡します",
      },
      headers: HEADERS,
    },
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
  "COMPANY.OFFICERS": {
    ja: "1 社または複数社の代表者を、1 人 1 行の表で返します。メールアドレス、電話番号、生年月日は、項目名を指定した場合のみ表示します。",
    gives: { en: "Representatives of companies", ja: "企業の代表者" },
    arguments: {
      companies: { ...COMPANIES, ja: `${COMPANY.ja}。範囲（例：A2:A20）、またはカンマ区切りの文字列` },
      fields: {
        ...FIELDS,
        ja: '表示する項目。例："companyName,fullName,role"、または "all"。省略時はこの 3 項目',
      },
      headers: HEADERS,
    },
    requests: {
      en: "one per company, shared with COMPANY; contact data take one of their own, which is not kept",
      ja: "1 社につき 1 回（COMPANY と共有）。連絡先は別に 1 回で、保存されません",
    },
    examples: [
      {
        formula: '=FEED.COMPANY.OFFICERS("Komorebi Education Inc.")',
        shows: { en: "The representatives of one company", ja: "1 社の代表者" },
      },
      {
        formula:
          '=FEED.COMPANY.OFFICERS("Komorebi Education Inc.,Yuzuriha Energy Corporation", "fullName,role,companyName", FALSE)',
        shows: {
          en: "Two companies, in another order and without headers",
          ja: "2 社の代表者（列の順序を変え、見出しなし）",
        },
      },
    ],
    errors: LOOKUP_ERRORS,
    fields: OFFICER_FIELDS,
  },
};
