/** The texts of the forms of sheets that compare rankings; they come with the script of sheets. */
const en = {
  templateHints: {
    league: "Ranks with their changes, growth and a small chart of several weeks.",
    movers: "What gained or lost most places or views since the period before.",
    heat: "Companies down, the 18 page types across, coloured by what is unusual.",
    rotation: "Industries by their share of all views: which gain, which lose.",
  },
  periods: "Periods",
  periodsHint: "The last two are compared; weeks run from Monday to Sunday.",
  rankings: { companies: "Companies", industries: "Industries" } as Readonly<Record<string, string>>,
  measure: "Beside the rank",
  movedHint: "Compared with the period of equal length before.",
  order: "Largest changes by",
  days: "Period",
  costsWhole: "2 requests for each 1,000 rows of the ranking, or more where the provider gives smaller pages.",
  costsEach: (periods: number) =>
    `One request for each of ${periods} periods, or more where the provider gives smaller pages; ended periods are kept.`,
  contents: {
    movers: (rows: number) => `${rows} rows with ranks, views and their changes, a line on what moved, and a chart.`,
    heat: (rows: number) =>
      `${rows} companies and 18 page types in colours, with the shares of all and how they changed.`,
    rotation: (rows: number) =>
      `Up to ${rows} industries with share, change, phase and trend, a line on what moved, and a chart.`,
    league: (rows: number) =>
      `${rows} rows with rank, change, growth and ranks of each period, a line on what moved, and a chart of the top ten.`,
  },
  preview: "How it looks, with made-up data",
  previews: {
    league: {
      line: "What moved, 2024-W12   ▲ Aoba Robotics 9 → 2   ▼ Minato Foods 1 → 3   new: 1",
      rows: [
        ["Rank", "Change", "Name", "Ranks", "Growth"],
        ["1", "▲1", "Hoshi Optics", "▅▆▇▇█", "+12.4%"],
        ["2", "▲7", "Aoba Robotics", "▁▂▂▃█", "+96.0%"],
        ["3", "▼2", "Minato Foods", "████▆", "-8.1%"],
        ["4", "new", "Tsubame Air", "··▂▁█", ""],
      ],
    },
    movers: {
      line: "What moved, 2024-03-25 – 2024-03-31   ▲ Aoba Robotics 48 → 12   ▼ Minato Foods 9 → 31   new: 1",
      rows: [
        ["Rank", "Previous", "Gained", "Name", "Growth"],
        ["12", "48", "▲36", "Aoba Robotics", "+96.0%"],
        ["31", "9", "▼22", "Minato Foods", "-41.7%"],
        ["27", "", "", "Tsubame Air", "new"],
      ],
    },
    heat: {
      line: "What moved, 7 days   ▲ News 12.1% → 15.9%   ▼ IR 22.0% → 18.4%",
      rows: [
        ["Company", "News", "Shareholders", "Stock prices"],
        ["Hoshi Optics", "1,204 ■", "310 □", "2,911"],
        ["Aoba Robotics", "420", "988 ■■", "1,310"],
        ["Minato Foods", "95 □□", "402", "2,050 ■"],
      ],
    },
    rotation: {
      line: "What moved, 2024-W12   ▲ Robotics 4.1% → 5.6%   ▼ Food 9.8% → 8.9%",
      rows: [
        ["Industry", "Share", "Change", "Trend", "Phase"],
        ["Robotics", "5.6%", "+1.5%", "▁▂▃▅█", "Leading"],
        ["Food", "8.9%", "-0.9%", "█▇▆▄▁", "Lagging"],
        ["Airlines", "3.0%", "+0.2%", "█▄▂▁▂", "Improving"],
      ],
    },
  },
};

type RankedSheetsTexts = typeof en;

/** The templates of sheets that compare rankings. */
export type RankedTemplate = keyof RankedSheetsTexts["templateHints"];

const ja: RankedSheetsTexts = {
  templateHints: {
    league: "順位とその変動、増減率、数週間の推移を並べます。",
    movers: "前の期間から順位や閲覧数が大きく変わった企業や業種。",
    heat: "企業を縦に、18 のページ種別を横に並べ、特徴的な値に色を付けます。",
    rotation: "全体に占める構成比で、伸びている業種と減っている業種を示します。",
  },
  periods: "期間",
  periodsHint: "最後の 2 期間を比較します。週は月曜日から日曜日までです。",
  rankings: { companies: "企業", industries: "業種" },
  measure: "順位とともに表示する指標",
  movedHint: "直前の同じ長さの期間と比較します。",
  order: "変動の大きさの基準",
  days: "期間",
  costsWhole: "ランキング 1,000 行ごとに 2 回のリクエスト(提供元のページが小さい場合は増えます)。",
  costsEach: (periods) =>
    `${periods} 期間にそれぞれ 1 回のリクエスト(提供元のページが小さい場合は増えます)。過去の期間は保存されます。`,
  contents: {
    movers: (rows) => `順位、ページビューとその変化の ${rows} 行、主な変動の 1 行、グラフ。`,
    heat: (rows) => `${rows} 社 × 18 ページ種別の色分けした表と、全体の構成比とその変化。`,
    rotation: (rows) => `最大 ${rows} 業種の構成比、変化、局面、推移、主な変動の 1 行、グラフ。`,
    league: (rows) => `順位、変動、増減率、各期間の順位を並べた ${rows} 行の表、主な変動の 1 行、上位 10 件のグラフ。`,
  },
  preview: "表示例(架空のデータ)",
  previews: {
    league: {
      line: "主な変動 2024-W12   ▲ 青葉ロボティクス 9 → 2   ▼ みなと食品 1 → 3   新規: 1",
      rows: [
        ["順位", "変動", "名称", "順位の推移", "増減率"],
        ["1", "▲1", "星光学", "▅▆▇▇█", "+12.4%"],
        ["2", "▲7", "青葉ロボティクス", "▁▂▂▃█", "+96.0%"],
        ["3", "▼2", "みなと食品", "████▆", "-8.1%"],
        ["4", "新規", "つばめ航空", "··▂▁█", ""],
      ],
    },
    movers: {
      line: "主な変動 2024-03-25 – 2024-03-31   ▲ 青葉ロボティクス 48 → 12   ▼ みなと食品 9 → 31   新規: 1",
      rows: [
        ["順位", "前回", "変動", "名称", "増減率"],
        ["12", "48", "▲36", "青葉ロボティクス", "+96.0%"],
        ["31", "9", "▼22", "みなと食品", "-41.7%"],
        ["27", "", "", "つばめ航空", "new"],
      ],
    },
    heat: {
      line: "主な変動 7 日間   ▲ News 12.1% → 15.9%   ▼ IR 22.0% → 18.4%",
      rows: [
        ["企業名", "News", "Shareholders", "Stock prices"],
        ["星光学", "1,204 ■", "310 □", "2,911"],
        ["青葉ロボティクス", "420", "988 ■■", "1,310"],
        ["みなと食品", "95 □□", "402", "2,050 ■"],
      ],
    },
    rotation: {
      line: "主な変動 2024-W12   ▲ ロボット 4.1% → 5.6%   ▼ 食品 9.8% → 8.9%",
      rows: [
        ["業種", "構成比", "変化", "推移", "局面"],
        ["ロボット", "5.6%", "+1.5%", "▁▂▃▅█", "先行"],
        ["食品", "8.9%", "-0.9%", "█▇▆▄▁", "低迷"],
        ["航空", "3.0%", "+0.2%", "█▄▂▁▂", "改善"],
      ],
    },
  },
};

export const rankedSheetsTexts = { en, ja };

/** The words of the sheets that compare rankings, which stand in their cells. */
const englishWords = {
  names: { league: "League table", movers: "Movers", heat: "Heat map", rotation: "Industry rotation" },
  titles: {
    league: "League table by page views",
    movers: "What moved in the ranking",
    heat: "Companies by page type",
    rotation: "Industries by share of page views",
  },
  periods: "Periods",
  periodsHint: '"-8w" weeks, "-12m" months or "2024-01:2024-12", 52 at most',
  rowsHint: (most: number) => `a number up to ${most}`,
  ranking: "Ranking",
  rankingHint: '"companies", "industries" or a page type such as "NEWS"',
  measure: "Measure",
  rank: "Rank",
  measures: { totalPageViews: "Page views", totalUniquePageViews: "Unique page views" },
  measureHint: "Page views, Unique page views …",
  leagueHeadings: ["Rank", "Change", "Name", "Code", "Ranks", "Growth", "Previous rank"],
  charts: {
    league: "Top ten",
    places: "Places gained, rows 1 to 10",
    growth: "Growth, rows 1 to 10",
    rotation: "Top ten: share",
  },
  periodHint: '"-7d", "-1m", "2024-W12" or "2024-01:2024-03"',
  previous: "Compared with",
  previousHint: "a period; empty for an equal one before",
  by: "Largest by",
  byHint: "Rank, Page views, Unique page views …",
  against: "compared with ",
  days: "Days",
  daysHint: "the length of each period; the last one ends yesterday",
  dayUnit: " day",
  daysUnit: " days",
  heatHint:
    "Orange: a larger share of the company's views than with all shown, from 1.25 and 2 times; blue: below 0.8 and 0.5.",
  heatHeadings: ["Rank", "Company", "Ticker", "Headquarters", "All page views"],
  heatShare: "Share, all shown",
  heatFormer: "Share, period before",
  heatChange: "Change of share",
  heatData: "What the sheet reads: the first day, the days of the period before, the rows, and that period's ranking.",
  rotationHint: "Leading, weakening: a share above its own average; improving, lagging: below.",
  rotationHeadings: ["Rank", "Change of share", "Industry", "Phase", "Trend", "Share", "Share before", "Average share"],
  rotationData: "What the table reads: the views of each period, with their totals above the headings.",
  phases: { leading: "Leading", improving: "Improving", weakening: "Weakening", lagging: "Lagging" },
  fresh: "new",
  news: "new:",
  moved: "What moved,",
  noFormer: "Nothing to compare: the period before has no values here.",
  noRows: "Rows must be a whole number from 1.",
  noShare: "A rank has no share: write a measure such as Page views.",
  tooMany: "There are more than 52 periods: give fewer.",
  data: "What the table reads: ranks of each period, and the measure below them.",
};

export type RankedTexts = typeof englishWords;

/** A measure that the forms offer. */
export type Measure = keyof RankedTexts["measures"];

const japaneseWords: RankedTexts = {
  names: { league: "順位表", movers: "変動ランキング", heat: "ヒートマップ", rotation: "業種ローテーション" },
  titles: {
    league: "順位表(ページビュー順)",
    movers: "ランキングの主な変動",
    heat: "企業とページ種別",
    rotation: "業種別のページビュー構成比",
  },
  periods: "期間",
  periodsHint: '"-8w"(週)、"-12m"(月)、"2024-01:2024-12"。52 期間まで',
  rowsHint: (most) => `${most} までの数値`,
  ranking: "対象",
  rankingHint: '"companies"、"industries"、または "NEWS" などのページ種別',
  measure: "指標",
  rank: "順位",
  measures: { totalPageViews: "ページビュー", totalUniquePageViews: "ユニークページビュー" },
  measureHint: "ページビュー、ユニークページビューなど",
  leagueHeadings: ["順位", "変動", "名称", "コード", "順位の推移", "増減率", "前回順位"],
  charts: {
    league: "上位 10 件",
    places: "順位の上昇(1 行目から 10 行目)",
    growth: "増減率(1 行目から 10 行目)",
    rotation: "上位 10 件: 構成比",
  },
  periodHint: '"-7d"、"-1m"、"2024-03"、"2024-W12"、"2024-01:2024-03"',
  previous: "比較する期間",
  previousHint: "別の期間。空欄なら直前の同じ長さの期間",
  by: "変動の基準",
  byHint: "順位、ページビュー、ユニークページビューなど",
  against: "比較対象 ",
  days: "日数",
  daysHint: "各期間の長さ。最後の期間は前日まで",
  dayUnit: " 日間",
  daysUnit: " 日間",
  heatHint: "橙: 企業の構成比が表示企業全体の 1.25 倍以上、2 倍以上。青: 0.8 倍未満、0.5 倍未満。",
  heatHeadings: ["順位", "企業名", "証券コード", "本社", "全ページビュー"],
  heatShare: "構成比(表示企業全体)",
  heatFormer: "構成比(前の期間)",
  heatChange: "構成比の変化",
  heatData: "シートが参照するデータ: 開始日、前の期間の日付、行数、前の期間のランキング。",
  rotationHint: "全業種のページビューに占める構成比。先行・減速: 自身の平均以上。改善・低迷: 平均未満。",
  rotationHeadings: ["順位", "構成比の変化", "業種", "局面", "推移", "構成比", "前回構成比", "平均構成比"],
  rotationData: "表が参照するデータ: 各期間のページビューと、見出しの上にその合計。",
  phases: { leading: "先行", improving: "改善", weakening: "減速", lagging: "低迷" },
  fresh: "新規",
  news: "新規:",
  moved: "主な変動",
  noFormer: "比較できません: 前の期間の値がありません。",
  noRows: "行数は 1 以上の整数にしてください。",
  noShare: "順位には構成比がありません。ページビューなどの指標を指定してください。",
  tooMany: "期間が 52 を超えています。減らしてください。",
  data: "表が参照するデータ: 各期間の順位と、その下に指標。",
};

export const rankedWords = { en: englishWords, ja: japaneseWords };
