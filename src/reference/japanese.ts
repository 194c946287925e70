/** A formula's texts in Japanese. */
interface JapaneseFormula {
  description: string;
  /** By argument. */
  parameters: Readonly<Record<string, string>>;
}

const START =
  '最初の日。日付または "2024-01-01"、あるいは "-7d"、"-4w"、"MTD"、"YTD"、"2024-03"、"2024-W12" などの期間';
const END = "最後の日（その日全体を含む）。start が期間なら省略可";
const TOP_100 = '行数、または "all"。省略時は 100';
const HEADERS = "FALSE にすると見出し行を省きます";
const BY = '提供元の順序に代えて並べ替えに使う測定値。例："totalUniquePageViews"';

/** The formulas' texts in Japanese, by id; the English ones stand above the formulas themselves. */
export const JAPANESE: Readonly<Record<string, JapaneseFormula>> = {
  FINANCIAL: {
    description: "企業の財務数値を 1 つ、または表で返します。企業の列と年度の行を渡すと、表全体に展開されます。",
    parameters: {
      company: "会社 ID または登録番号、あるいはその範囲。例：A2:A20",
      year: '会計年度。例：2023、最新年度の "FY0"、"FY-1"、"2019:2023"、日付、または範囲',
      metric: '指標。例："Revenue"、"CASH_FLOW.Operating Cash Flow"。currency、periodEnd なども可。範囲も可',
      basis: '複数の版があるときに選ぶもの。例："CONSOLIDATED"、"NON_CONSOLIDATED,FY4"',
      unit: '"k"（千）、"m"（百万）、"bn"（十億）、または割る数',
    },
  },
  RANKING: {
    description: "期間中の閲覧数による日本の上場企業のランキングを表で返します。",
    parameters: {
      start: START,
      end: END,
      top: TOP_100,
      fields: '表示する項目。例："rank,companyName,totalPageViews"。省略時はすべて',
      by: BY,
      headers: HEADERS,
    },
  },
};
