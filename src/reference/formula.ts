import type { FeedCode } from "../client/errors";
import type { Field } from "../feed/fields";
import type { Text } from "./texts";

/** A formula that works on sample data, and its result in words. */
interface Example {
  formula: string;
  shows: Text;
}

/** An argument, beside its English text, which stands above the formula itself. */
export interface ArgumentReference {
  /** Its text in Japanese. */
  ja: string;
  /** Accepted values that this does not tell. */
  accepts?: Text;
  /** The id of the enumeration that it proposes. */
  values?: string;
}

/** The reference of a formula, beside its English text, which stands above the formula itself. */
export interface FormulaReference {
  /** Its text in Japanese. */
  ja: string;
  /** Its result, in a few words. */
  gives: Text;
  /** By name, in their order. */
  arguments: Readonly<Record<string, ArgumentReference>>;
  /** Its cost in requests. */
  requests: Text;
  examples: readonly Example[];
  /** The errors it can give besides those of the connection. */
  errors: readonly FeedCode[];
  /** The fields it can show. */
  fields?: readonly Field[];
  /** What else a reader must know, below the fields. */
  sections?: readonly Section[];
}

/** A part of a formula's page. */
export interface Section {
  /** Its place on the page, "#states". */
  id: string;
  title: Text;
  paragraphs: readonly Text[];
  table?: { headings: readonly Text[]; rows: readonly (readonly Text[])[] };
}

/** The errors of formulas that look up a company or a node. */
export const LOOKUP_ERRORS: readonly FeedCode[] = [
  "FEED_ARGUMENT_INVALID",
  "FEED_NO_VALUE",
  "FEED_AMBIGUOUS",
  "FEED_NOT_FOUND",
  "FEED_REQUEST_INVALID",
  "FEED_RESULT_TOO_LARGE",
];

/** The cost of a list in requests. */
export const LIST_REQUESTS: Text = {
  en: "one per 1,000 rows, and one more if the last page is full",
  ja: "1,000 行につき 1 回。最終ページがちょうど 1,000 行の場合は追加で 1 回",
};

// The arguments of several families of formulas.

/** A company. */
export const COMPANY = {
  ja: "企業の名称、証券コード、登録番号、または企業 ID",
  accepts: {
    en: 'a name that only one company in your default country has; a ticker such as "4899"; a name or ticker after its country, as in "SGP:Raintree Pharma"; a registration number, as text or number; or a company id (UUID)',
    ja: '設定した国で 1 社だけに当てはまる名称（表記は問いません）、"4899" などの証券コード、"SGP:Raintree Pharma" のように国を前に付けた名称や証券コード、登録番号（文字列または数値）、または企業 ID（UUID）',
  },
} satisfies ArgumentReference;

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
  values: "COUNTRY",
};

/** A country, else that of the settings. */
export const OWN_COUNTRY: ArgumentReference = {
  ...COUNTRY,
  ja: `${COUNTRY.ja}。省略時は設定の国`,
};

/** A number of rows. */
export const TOP_ALL: ArgumentReference = {
  ja: '行数、または "all"（すべて）。省略時はすべて',
};

/** A number of rows of a long list. */
export const TOP_100: ArgumentReference = {
  ja: '行数、または "all"（すべて）。省略時は 100',
};

/** Fields of an answer. */
export const FIELDS = {
  accepts: {
    en: "names as comma text or a range, nested by dots; any field of the answer",
    ja: "カンマ区切りの項目名、または範囲。入れ子はドットで指定。取得データに含まれる項目はすべて指定できます",
  },
};

/** Whether a table has a row of headers. */
export const HEADERS: ArgumentReference = {
  ja: "FALSE にすると見出し行を省きます",
};
