import type { ArgumentReference } from "./formula";
import type { Text } from "./texts";

// The arguments of several families of formulas.

/** A company. */
export const COMPANY: ArgumentReference = {
  ja: "企業の名称、証券コード、登録番号、または企業 ID",
  accepts: {
    en: 'a name that only one company in your default country has; a ticker such as "4899"; a name or ticker after its country, as in "SGP:Raintree Pharma"; a registration number, as text or number; or a company id (UUID)',
    ja: '設定した国で 1 社だけに当てはまる名称（表記は問いません）、"4899" などの証券コード、"SGP:Raintree Pharma" のように国を前に付けた名称や証券コード、登録番号（文字列または数値）、または企業 ID（UUID）',
  },
};

/** One company or several. */
export const COMPANIES = {
  accepts: {
    en: `${COMPANY.accepts.en}; one, comma text (a company's own name may have commas), or a range`,
    ja: `${COMPANY.accepts.ja}。1 件、カンマ区切り（カンマを含む企業名は 1 社として扱います）、または範囲`,
  },
};

/** A country that must be given. */
export const COUNTRY: ArgumentReference = {
  ja: '国コード（例："JPN"）、または "ALL"',
  accepts: {
    en: 'a code of three letters (ISO 3166-1), or "ALL"',
    ja: '3 文字の国コード（ISO 3166-1）、または "ALL"',
  },
  values: "COUNTRY",
};

/** A country, else that of the settings. */
export const OWN_COUNTRY: ArgumentReference = {
  ...COUNTRY,
  ja: `${COUNTRY.ja}。省略時は設定の国`,
  leftOut: { en: "the country of the settings, JPN at first", ja: "設定の国（初期値は JPN）" },
};

/** A number of rows. */
export const TOP_ALL: ArgumentReference = {
  ja: '行数、または "all"（すべて）。省略時はすべて',
  accepts: { en: 'a whole number from 1, or "all"', ja: '1 以上の整数、または "all"' },
  leftOut: { en: '"all"', ja: '"all"（すべて）' },
};

/** A number of rows of a long list. */
export const TOP_100: ArgumentReference = {
  ...TOP_ALL,
  ja: '行数、または "all"（すべて）。省略時は 100',
  leftOut: { en: "100", ja: "100" },
};

/** The accepted names of fields. */
export const FIELDS: Text = {
  en: "names as comma text or a range, nested by dots; any field of the answer",
  ja: "カンマ区切りの項目名、または範囲。入れ子はドットで指定。取得データに含まれる項目はすべて指定できます",
};

/** Columns of a table, of which the usual ones come by themselves. */
export const USUAL_FIELDS = {
  accepts: FIELDS,
  leftOut: { en: "the usual columns", ja: "通常の列" },
};

/** Whether a table has a row of headers. */
export const HEADERS: ArgumentReference = {
  ja: "FALSE にすると見出し行を省きます",
  accepts: { en: "TRUE or FALSE", ja: "TRUE または FALSE" },
  leftOut: { en: "TRUE", ja: "TRUE" },
};
