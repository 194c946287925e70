import { toName } from "./names";

/** Japanese names of metrics, facts, versions and units, and the words that they stand for in an argument. */
export const JAPANESE_WORDS = {
  metric: {
    売上高: "Revenue",
    売上原価: "Cost of Goods Sold",
    売上総利益: "Gross Profit",
    営業費用: "Operating Expenses",
    販管費: "Operating Expenses",
    営業利益: "EBIT",
    純利益: "Net Income",
    当期純利益: "Net Income",
    総資産: "Total Assets",
    負債合計: "Total Liabilities",
    現金及び現金同等物: "Cash and equivalents",
    棚卸資産: "Inventory",
    売掛金: "Accounts Receivable",
    営業キャッシュフロー: "Operating Cash Flow",
    投資キャッシュフロー: "Investing Cash Flow",
    財務キャッシュフロー: "Financing Cash Flow",
    通貨: "currency",
    期首: "periodStart",
    期末: "periodEnd",
  },
  basis: { 連結: "CONSOLIDATED", 単体: "NON_CONSOLIDATED", 非連結: "NON_CONSOLIDATED", 通期: "ANNUAL" },
  unit: {
    円: "JPY",
    千: "k",
    千円: "JPY k",
    百万: "m",
    百万円: "JPY m",
    億: "1e8",
    億円: "JPY 1e8",
    十億: "bn",
    十億円: "JPY bn",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** Writes each Japanese name in an argument, also between commas or behind a statement, as the word that it stands for. */
export function toEnglish(kind: keyof typeof JAPANESE_WORDS, argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map((each) => toEnglish(kind, each));
  if (typeof argument !== "string") return argument;
  const words: Readonly<Record<string, string>> = JAPANESE_WORDS[kind];
  const english = (text: string) => words[toName(text).replace(/・/g, "")] ?? text;
  const separator = /([,、.])/;
  return argument
    .split(separator)
    .map((part) => (part === "、" ? "," : english(part)))
    .join("");
}
