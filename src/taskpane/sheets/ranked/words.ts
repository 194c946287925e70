/** The words of the sheets that compare rankings, which stand in their cells. */
const en = {
  names: { league: "League table" },
  titles: { league: "League table by page views" },
  periods: "Periods",
  periodsHint: '"-8w" weeks, "-12m" months or "2024-01:2024-12"; the last two are compared, 52 at most',
  rowsHint: (most: number) => `a number up to ${most}`,
  ranking: "Ranking",
  rankingHint: '"companies", "industries" or a page type such as "NEWS"',
  measure: "Measure",
  measureHint: '"totalPageViews", "totalUniquePageViews" …',
  leagueHeadings: ["Rank", "Change", "Name", "Code", "Ranks", "Growth", "Previous rank"],
  leagueChart: "Top ten",
  fresh: "new",
  news: "new:",
  moved: "What moved,",
  noFormer: "There is no ranking of the period before.",
  data: "What the table reads: ranks of each period, and the measure below them.",
};

export type RankedTexts = typeof en;

const ja: RankedTexts = {
  names: { league: "順位表" },
  titles: { league: "順位表(ページビュー順)" },
  periods: "期間",
  periodsHint: '"-8w"(週)、"-12m"(月)、"2024-01:2024-12"。最後の 2 期間を比較。52 期間まで',
  rowsHint: (most) => `${most} までの数値`,
  ranking: "対象",
  rankingHint: '"companies"、"industries"、または "NEWS" などのページ種別',
  measure: "指標",
  measureHint: '"totalPageViews"、"totalUniquePageViews" など',
  leagueHeadings: ["順位", "変動", "名称", "コード", "順位の推移", "増減率", "前回順位"],
  leagueChart: "上位 10 件",
  fresh: "新規",
  news: "新規:",
  moved: "主な変動",
  noFormer: "前の期間のランキングがありません。",
  data: "表が参照するデータ: 各期間の順位と、その下に指標。",
};

export const rankedWords = { en, ja };
