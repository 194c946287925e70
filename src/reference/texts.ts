/** A language of the formulas' descriptions. */
export type Language = "en" | "ja";

/** A sentence in both languages. */
export type Text = Readonly<Record<Language, string>>;

/** The other language. */
export const OTHER_LANGUAGE: Readonly<Record<Language, Language>> = { en: "ja", ja: "en" };

/** The headings and fixed sentences of the reference pages. */
export const HEADINGS = {
  title: { en: "FEED help", ja: "FEED ヘルプ" },
  intro: {
    en: "Documents, and a page for each formula.",
    ja: "使い方のページと、数式ごとのリファレンスです。",
  },
  search: { en: "Search the help", ja: "ヘルプを検索" },
  found: { en: " found", ja: " 件" },
  guides: { en: "Documents", ja: "使い方" },
  analysts: { en: "For analysts", ja: "アナリスト向け" },
  it: { en: "For IT", ja: "IT 担当者向け" },
  developers: { en: "For developers", ja: "開発者向け" },
  inEnglish: { en: "", ja: "（英語）" },
  formulas: { en: "Formulas", ja: "数式" },
  which: { en: "Which formula do I use?", ja: "数式の選び方" },
  allErrors: { en: "All errors", ja: "エラーの一覧" },
  errorsIntro: {
    en: "#VALUE! means that you must change something. #N/A means that there is no value. Select the cell and press About this cell to read the whole message.",
    ja: "#VALUE! は入力の修正が必要なとき、#N/A は値がないときに表示されます。セルを選択して「このセルについて」を押すと、エラーの全文を確認できます。",
  },
  commonErrors: {
    en: "Errors of the connection can show in every formula:",
    ja: "接続に関するエラーは、どの数式でも表示されることがあります。",
  },
  separators: {
    en: "Arguments are parted by commas here. Where your Excel parts them by another sign, such as a semicolon, type that one.",
    ja: "ここでは引数をコンマで区切っています。Excel の区切り記号が異なる場合（セミコロンなど）は、その記号を入力してください。",
  },
  formula: { en: "Formula", ja: "数式" },
  gives: { en: "Gives", ja: "結果" },
  requests: { en: "Requests", ja: "リクエスト数" },
  arguments: { en: "Arguments", ja: "引数" },
  argument: { en: "Argument", ja: "引数" },
  meaning: { en: "Meaning", ja: "説明" },
  values: { en: "Values", ja: "値の一覧" },
  value: { en: "Value", ja: "値" },
  otherValues: {
    en: "Other values are accepted if the provider knows them.",
    ja: "一覧にない値も、データ提供元が対応していれば指定できます。",
  },
  fields: { en: "Fields", ja: "項目" },
  field: { en: "Field", ja: "項目名" },
  header: { en: "Header", ja: "見出し" },
  kind: { en: "Kind", ja: "種類" },
  examples: { en: "Examples", ja: "使用例" },
  sampleData: {
    en: "Companies and figures are of the built-in sample data, which is fictional.",
    ja: "企業と数値は内蔵のサンプルデータ（架空のもの）です。",
  },
  errors: { en: "Errors", ja: "エラー" },
  error: { en: "Error", ja: "エラー" },
  cell: { en: "Cell", ja: "セル" },
  cure: { en: "What to do", ja: "対処方法" },
  otherFormulas: { en: "Other formulas", ja: "ほかの数式" },
  otherLanguage: { en: "English", ja: "日本語" },
  personal: { en: "only where it is named", ja: "項目名を指定した場合のみ" },
  comma: { en: ", ", ja: "、" },
  colon: { en: ": ", ja: "：" },
} as const satisfies Record<string, Text>;

/** The size of a result that is shown in part. */
export const toSizeText: Readonly<Record<Language, (rows: number, columns: number) => string>> = {
  en: (rows, columns) => `The whole result has ${count(rows, "row")} and ${count(columns, "column")}.`,
  ja: (rows, columns) => `結果は全部で ${rows.toLocaleString("ja")} 行 × ${columns} 列です。`,
};

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** The kinds of values that fields have. */
export const FIELD_KINDS = {
  text: { en: "text", ja: "文字列" },
  number: { en: "number", ja: "数値" },
  share: { en: "share: 0.1 for 10%", ja: "割合（10% は 0.1）" },
  flag: { en: "TRUE or FALSE", ja: "TRUE または FALSE" },
  day: { en: "date", ja: "日付" },
  moment: { en: "date and time", ja: "日時" },
  list: { en: "list", ja: "一覧" },
  object: { en: "group of fields", ja: "項目のまとまり" },
} as const satisfies Record<string, Text>;
