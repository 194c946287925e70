/** A language of the formulas' descriptions. */
export type Language = "en" | "ja";

/** A sentence in both languages. */
export type Text = Readonly<Record<Language, string>>;

/** The other language. */
export const OTHER_LANGUAGE: Readonly<Record<Language, Language>> = { en: "ja", ja: "en" };

/** The headings and fixed sentences of the reference pages. */
export const HEADINGS = {
  title: { en: "FEED formula reference", ja: "FEED 数式リファレンス" },
  intro: {
    en: "Every formula of FEED for Excel. A cell is #BUSY! until its first answer, and keeps its value while a new one is fetched.",
    ja: "FEED for Excel のすべての数式です。セルは最初のデータが届くまで #BUSY! となり、更新中は前の値を保ちます。",
  },
  formula: { en: "Formula", ja: "数式" },
  gives: { en: "Gives", ja: "結果" },
  requests: { en: "Requests", ja: "リクエスト数" },
  arguments: { en: "Arguments", ja: "引数" },
  argument: { en: "Argument", ja: "引数" },
  meaning: { en: "Meaning", ja: "説明" },
  accepts: { en: "Accepts", ja: "受け付ける値" },
  leftOut: { en: "When left out", ja: "省略時" },
  required: { en: "required", ja: "必須" },
  values: { en: "Values", ja: "値の一覧" },
  value: { en: "Value", ja: "値" },
  otherValues: {
    en: "Another value is accepted where the provider may know it.",
    ja: "データ提供元が認識する可能性のある値であれば、一覧にない値も受け付けます。",
  },
  fields: { en: "Fields", ja: "項目" },
  field: { en: "Field", ja: "項目名" },
  header: { en: "Header", ja: "見出し" },
  kind: { en: "Kind", ja: "種類" },
  examples: { en: "Examples", ja: "使用例" },
  sampleData: {
    en: "Company ids and figures are of the built-in sample data, which is fictional.",
    ja: "会社 ID と数値は内蔵のサンプルデータ（架空のもの）です。",
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

/** The kinds of values that fields have. */
export const FIELD_KINDS = {
  text: { en: "text", ja: "文字列" },
  number: { en: "number", ja: "数値" },
  flag: { en: "TRUE or FALSE", ja: "TRUE または FALSE" },
  day: { en: "date", ja: "日付" },
  moment: { en: "date and time", ja: "日時" },
  list: { en: "list", ja: "一覧" },
  object: { en: "group of fields", ja: "項目のまとまり" },
} as const satisfies Record<string, Text>;
