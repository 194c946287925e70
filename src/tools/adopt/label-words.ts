/** Words of analysts for the metrics that the API document names (§2.3), folded as by `fold`. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  Revenue: "revenue revenues totalrevenue netrevenue sales netsales turnover 売上 売上高 売上収益 営業収益".split(" "),
  "Cost of Goods Sold": "costofgoodssold cogs costofsales costofrevenue 売上原価 原価".split(" "),
  "Gross Profit": "grossprofit 売上総利益 粗利 粗利益".split(" "),
  "Operating Expenses":
    "operatingexpenses operatingexpense opex sga sgaexpenses sellinggeneralandadministrativeexpenses 営業費用 販管費 販売費及び一般管理費".split(
      " ",
    ),
  EBITDA: ["ebitda"],
  EBIT: "ebit operatingincome operatingprofit 営業利益".split(" "),
  "Net Income":
    "netincome netprofit netearnings profitaftertax pat 純利益 当期純利益 親会社株主に帰属する当期純利益".split(" "),
  "Total Assets": "totalassets assets 総資産 資産合計".split(" "),
  "Total Liabilities": "totalliabilities liabilities 負債 負債合計 総負債".split(" "),
  "Cash and equivalents":
    "cashandequivalents cashandcashequivalents cashequivalents cash 現金 現預金 現金及び預金 現金及び現金同等物".split(
      " ",
    ),
  Inventory: "inventory inventories 棚卸資産 在庫".split(" "),
  "Accounts Receivable":
    "accountsreceivable receivables tradereceivables tradeandotherreceivables 売掛金 売上債権".split(" "),
  "Operating Cash Flow":
    "operatingcashflow cashflowfromoperations cashfromoperations cashflowfromoperatingactivities cashfromoperatingactivities ocf cfo 営業cf 営業キャッシュフロー 営業活動によるキャッシュフロー".split(
      " ",
    ),
  "Investing Cash Flow":
    "investingcashflow cashflowfrominvesting cashflowfrominvestingactivities cashfrominvestingactivities icf cfi 投資cf 投資キャッシュフロー 投資活動によるキャッシュフロー".split(
      " ",
    ),
  "Financing Cash Flow":
    "financingcashflow cashflowfromfinancing cashflowfromfinancingactivities cashfromfinancingactivities cff 財務cf 財務キャッシュフロー 財務活動によるキャッシュフロー".split(
      " ",
    ),
};

const METRICS_BY_WORD = new Map(
  Object.entries(WORDS).flatMap(([metric, words]) => words.map((word) => [word, metric] as const)),
);

/** Ratios, growth, counts and values per share: no figures of a statement. */
const RATIO =
  /%|\b(?:margins?|growth|ratios?|yields?|yoy|cagr|per share|eps|ro[aeic]+|returns?|turns|days|multiple|employees|headcount)\b|率|成長|伸び|前年比|前期比|回転|倍|比$|従業員|1株|一株|1人/i;

/** Rows and columns that summarise others. */
const SUMMARY =
  /^(?:grand|sub|the)?\s*(?:total|sum|average|avg|mean|median|max|maximum|min|minimum|peers?average|difference|change|check|rank)\b|^(?:合計|総計|小計|計|平均|平均値|中央値|最大|最小|最大値|最小値|差額|増減|順位|検算)$/i;

/** A word that tells the single company's own statements. */
const ALONE = /単体|非連結|個別|stand-?alone|unconsolidated|non-?consolidated|parent only/i;
const TOGETHER = /連結|consolidated/i;

/** Folds a label for look-ups: without brackets, width, letter case, spaces and marks. */
export const fold = (text: string): string =>
  withoutBrackets(text)
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/sgand?a\b/, "sga")
    .replace(/[^\p{L}\p{N}%]/gu, "");

/** A label without what stands in brackets, which is a unit or a remark. */
export const withoutBrackets = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[([【〔][^)\]】〕]*[)\]】〕]/g, " ")
    .trim();

/** The metric that a label names, by the API document's words or an answer's own; null where it names none. */
export function readMetricWord(text: string, listed: readonly string[] = []): string | null {
  const word = fold(text);
  const own = listed.find((name) => fold(name) === word);
  return own ?? METRICS_BY_WORD.get(word) ?? METRICS_BY_WORD.get(word.replace(/^(?:連結|単体|非連結)/, "")) ?? null;
}

/** Whether a label names a ratio, a growth rate or a count, which no statement has. */
export const isRatioWord = (text: string): boolean =>
  readMetricWord(text) === null && RATIO.test(text.normalize("NFKC"));

/** Whether a label names a sum, an average or the like of other cells. */
export const isSummaryWord = (text: string): boolean =>
  readMetricWord(text) === null && SUMMARY.test(withoutBrackets(text));

/** The consolidation that a text names; null where it names none. */
export function readConsolidation(text: string): "CONSOLIDATED" | "NON_CONSOLIDATED" | null {
  if (ALONE.test(text)) return "NON_CONSOLIDATED";
  return TOGETHER.test(text) ? "CONSOLIDATED" : null;
}
