import type { Cost } from "../../feed/cost";

const en = {
  loading: "Reading what the formulas take…",
  notLoaded: "The list of formulas could not be read from the companion. See that it runs, then try again.",
  tryAgain: "Try again",
  data: "Data",
  help: (formula: string) => `Help on ${formula}`,
  labels: {
    allindustries: "All industries",
    allmatches: "Other matches too",
    basis: "Basis",
    by: "Sort by",
    companies: "Companies",
    company: "Company",
    country: "Country",
    end: "End",
    field: "Field",
    fields: "Fields",
    headers: "Header row",
    hints: "Hints",
    identifier: "Identifier",
    layout: "Layout",
    level: "Level",
    measure: "Shown",
    metric: "Metric",
    metrics: "Metrics",
    names: "Companies or industries",
    node: "Industry, sub-sector or sector",
    pagetype: "Page type",
    parent: "Below",
    period: "Period",
    periods: "Periods",
    previous: "Compared with",
    ranking: "Ranking",
    sheet: "Sheet",
    sort: "Sort field",
    start: "Period",
    text: "Name",
    top: "Rows",
    type: "Listed or private",
    unit: "Unit",
    what: "What",
    year: "Fiscal year",
    years: "Fiscal years",
  } as Record<string, string>,
  yearNames: {
    FY0: "Latest year",
    "FY-1": "The year before",
    "FY-4:FY0": "Last five years",
    "FY-9:FY0": "Last ten years",
  },
  rangeNames: {
    "-7d": "Last 7 days",
    "-28d": "Last 28 days",
    "-1m": "Last month",
    MTD: "This month",
    YTD: "This year",
  },
  /** What seldom filled fields mean when they are empty. */
  defaults: { basis: "Annual, consolidated first", unit: "Full amounts, own currency" } as Record<string, string>,
  more: "More",
  useCells: "Use selected cells",
  useCellsFor: (label: string) => `${label}: use selected cells`,
  unsound: "A bracket or a quotation mark is not closed, or a comma is too many.",
  companyHint: "A name, a ticker, an id or a registration number; for cells =A2:A20.",
  formula: "Formula",
  preview: "Preview",
  between: ", ",
  missing: (labels: string) => `To see a preview, fill in: ${labels}.`,
  mend: "Correct the marked field to see a preview.",
  tooLong: "The formula is too long for a cell. Write the companies into cells, and give those: =A2:A200.",
  waiting: "Reading…",
  unworkable: (text: string) => `There is no preview of ${text}: only the sheet can work that out. Insert the formula.`,
  size: (rows: number, columns: number) =>
    `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"} × ${columns.toLocaleString("en")} ${columns === 1 ? "column" : "columns"} in all`,
  progress: (rows: number, expected: number) =>
    expected > rows
      ? `${rows.toLocaleString("en")} of ${expected.toLocaleString("en")} rows so far…`
      : `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"} so far…`,
  costly: "The preview is not made by itself, since it takes more than a few requests.",
  showPreview: "Show preview",
  readAgain: "Read the cells again",
  cost: ({ requests, now, isLeast, isMost = false, isByRows = false }: Cost): string => {
    if (requests === 0) return "Costs no request.";
    const more = isByRows ? " or more (one for each 1,000 rows)" : " or more";
    const [before, after] = isLeast ? [isMost ? "About " : "", isMost ? "" : more] : [isMost ? "Up to " : "", ""];
    const many = `${before}${requests.toLocaleString("en")} ${requests === 1 ? "request" : "requests"}${after}`;
    if (now === 0) return `${many}; none now, since the answer is here already.`;
    return now < requests ? `${many}; ${now.toLocaleString("en")} now, the rest is here already.` : `${many}.`;
  },
  insertAt: (place: string) => `Insert at ${place}`,
  insertAtActive: "Insert at the active cell",
  replaceIn: (place: string) => `Replace formula in ${place}`,
  edit: (place: string) => `Edit the formula of ${place}`,
  editing: (place: string) => `Formula of ${place}`,
  part: (place: string) =>
    `${place} holds a formula of the add-in among other things, so it cannot be edited here. Edit it in the cell:`,
  unknown: (place: string) => `${place} holds a formula that this version does not know. Edit it in the cell:`,
  ownCell: (place: string) => `The formula reads ${place} itself. Select a cell outside of what it reads.`,
  startAnew: "New formula",
};

const ja: typeof en = {
  loading: "数式の引数を読み込んでいます…",
  notLoaded:
    "コンパニオンから数式の一覧を読み込めませんでした。コンパニオンが実行中であることを確かめて、もう一度お試しください。",
  tryAgain: "再試行",
  data: "データ",
  help: (formula) => `${formula} のヘルプ`,
  labels: {
    allindustries: "すべての業種",
    allmatches: "主な分類以外も含める",
    basis: "区分",
    by: "並べ替えの指標",
    companies: "企業",
    company: "企業",
    country: "国",
    end: "終了",
    field: "項目",
    fields: "項目",
    headers: "見出し行",
    hints: "手がかり",
    identifier: "識別番号",
    layout: "レイアウト",
    level: "階層",
    measure: "表示する値",
    metric: "指標",
    metrics: "指標",
    names: "企業または業種",
    node: "業種、サブセクター、またはセクター",
    pagetype: "ページ種別",
    parent: "上位の分類",
    period: "期間",
    periods: "期間（列）",
    previous: "比べる期間",
    ranking: "ランキング",
    sheet: "シート",
    sort: "並べ替えの項目",
    start: "期間",
    text: "名前",
    top: "行数",
    type: "上場・非上場",
    unit: "単位",
    what: "内容",
    year: "会計年度",
    years: "会計年度",
  },
  yearNames: {
    FY0: "最新年度",
    "FY-1": "前年度",
    "FY-4:FY0": "直近 5 年度",
    "FY-9:FY0": "直近 10 年度",
  },
  rangeNames: {
    "-7d": "直近 7 日間",
    "-28d": "直近 28 日間",
    "-1m": "先月",
    MTD: "今月",
    YTD: "今年",
  },
  defaults: { basis: "年次、連結を優先", unit: "そのままの金額と通貨" },
  more: "詳細",
  useCells: "選択範囲を使う",
  useCellsFor: (label) => `${label}: 選択範囲を使う`,
  unsound: "かっこや引用符が閉じていないか、余分なコンマがあります。",
  companyHint: "企業名、証券コード、ID、登録番号。セルの場合は =A2:A20。",
  formula: "数式",
  preview: "プレビュー",
  between: "、",
  missing: (labels) => `プレビューを表示するには、次を入力してください: ${labels}`,
  mend: "プレビューを表示するには、印の付いた欄を修正してください。",
  tooLong: "数式が長すぎてセルに入りません。企業をセルに入力し、その範囲を =A2:A200 のように指定してください。",
  waiting: "読み込んでいます…",
  unworkable: (text) => `${text} はシートでしか計算できないため、プレビューを表示できません。数式を挿入してください。`,
  size: (rows, columns) => `全 ${rows.toLocaleString("ja")} 行 × ${columns.toLocaleString("ja")} 列`,
  progress: (rows, expected) =>
    expected > rows
      ? `${expected.toLocaleString("ja")} 行中 ${rows.toLocaleString("ja")} 行を取得済み…`
      : `${rows.toLocaleString("ja")} 行を取得済み…`,
  costly: "リクエストの数が多いため、プレビューは自動では表示されません。",
  showPreview: "プレビューを表示",
  readAgain: "セルを読み直す",
  cost: ({ requests, now, isLeast, isMost = false, isByRows = false }) => {
    if (requests === 0) return "リクエストは 0 回です。";
    const more = isByRows ? "以上（1,000 行につき 1 回）" : "以上";
    const [before, after] = isLeast ? [isMost ? "約 " : "", isMost ? "" : more] : [isMost ? "最大 " : "", ""];
    const many = `リクエスト ${before}${requests.toLocaleString("ja")} 回${after}`;
    if (now === 0) return `${many}。取得済みのため、今は 0 回です。`;
    return now < requests ? `${many}。一部は取得済みのため、今は ${now.toLocaleString("ja")} 回です。` : `${many}。`;
  },
  insertAt: (place) => `${place} に挿入`,
  insertAtActive: "アクティブセルに挿入",
  replaceIn: (place) => `${place} の数式を置き換え`,
  edit: (place) => `${place} の数式を編集`,
  editing: (place) => `${place} の数式`,
  part: (place) =>
    `${place} の数式にはアドインの数式以外も含まれるため、ここでは編集できません。セルで編集してください:`,
  unknown: (place) => `${place} の数式はこのバージョンでは扱えません。セルで編集してください:`,
  ownCell: (place) => `この数式は ${place} 自体を参照しています。参照範囲の外のセルを選んでください。`,
  startAnew: "新しい数式",
};

export const buildTexts = { en, ja };
