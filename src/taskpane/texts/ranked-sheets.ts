/** The texts of the forms of sheets that compare rankings; they come with the script of sheets. */
const en = {
  templates: { league: "League table" },
  templateHints: { league: "Ranks with their changes, growth and a small chart of several weeks." },
  periods: "Periods",
  periodNames: {
    "-8w": "Last 8 weeks",
    "-12w": "Last 12 weeks",
    "-6m": "Last 6 months",
    "-12m": "Last 12 months",
    "-14d": "Last 14 days",
  } as Readonly<Record<string, string>>,
  periodsHint: "The last two are compared; weeks run from Monday to Sunday.",
  rankings: { companies: "Companies", industries: "Industries" } as Readonly<Record<string, string>>,
  measure: "Beside the rank",
  measures: { totalPageViews: "Page views", totalUniquePageViews: "Unique page views" },
  contents: {
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
  },
};

export type RankedSheetsTexts = typeof en;

const ja: RankedSheetsTexts = {
  templates: { league: "順位表" },
  templateHints: { league: "順位とその変動、増減率、数週間の推移を並べます。" },
  periods: "期間",
  periodNames: {
    "-8w": "直近 8 週間",
    "-12w": "直近 12 週間",
    "-6m": "直近 6 か月",
    "-12m": "直近 12 か月",
    "-14d": "直近 14 日間",
  },
  periodsHint: "最後の 2 期間を比較します。週は月曜日から日曜日までです。",
  rankings: { companies: "企業", industries: "業種" },
  measure: "順位とともに表示する指標",
  measures: { totalPageViews: "ページビュー", totalUniquePageViews: "ユニークページビュー" },
  contents: {
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
  },
};

export const rankedSheetsTexts = { en, ja };
