import { count } from "./quantities";

const en = {
  title: "Selected cell",
  empty:
    "Select a cell with a FEED formula, or one that its table fills: where its value comes from is then told here.",
  none: (place: string) =>
    `${place} shows nothing of FEED. Select a cell with a FEED formula, or one that its table fills.`,
  frozen: (date: string | null, formula: string) => `Frozen${date === null ? "" : ` on ${date}`} from ${formula}`,
  frozenChanged: "The cell, its row or what its formula refers to has changed since.",
  unknown: (place: string) =>
    `It cannot be told what the formula in ${place} asked for, since its arguments are calculated or it has not been ` +
    "calculated yet. Recalculate the cell (F2, then Enter), or enter the arguments in cells of their own.",
  year: (year: number, period: string | null, end: string | null) =>
    `FY${year}${period === null ? "" : ` ${period}`}${end === null ? "" : ` (to ${end})`}`,
  versions: { CONSOLIDATED: "consolidated", NON_CONSOLIDATED: "non-consolidated" },
  fetchedAt: (time: string) => `fetched ${time}`,
  resolved: (written: string, name: string, id: string) => `“${written}” means ${name} in this workbook (${id}).`,
  resolvedAlone: " Its namesakes have no such data.",
  resolvedNone: (written: string) => `“${written}” has no company in this workbook: somebody chose “None of these”.`,
  otherResolved: (name: string) =>
    `The index now gives ${name} for it. The workbook keeps its company until you choose another.`,
  alsoFrom: (others: number) => `Also from this answer: ${count(others, "other formula")}`,
  refresh: "Refresh this",
  within: (row: number, column: number, cell: string) => `Row ${row}, column ${column} of the table from ${cell}`,
  isPart: "The cell calculates further with what FEED answers; what follows is what FEED answered.",
  expanded: (formula: string) =>
    `FEED is called in a name. Written out, the formula is ${formula}. Edit the name in Excel's Name Manager (Ctrl+F3).`,
  edit: (cell: string) => `Edit ${cell} in Build`,
  query: "Query",
  asOf: "As of",
  ago: (time: string, ago: string) => `${time} (${ago})`,
  origin: "Origin",
  fetched: (others: number) =>
    others === 0 ? "Asked since the pane opened" : `Asked since the pane opened, ${sharedWith(others)}`,
  persisted: (time: string, others: number) =>
    `From what was kept on ${time}${others === 0 ? "" : `, ${sharedWith(others)}`}; no request went out for it`,
  made: "Made on this computer, without a request of its own",
  freshness: "Freshness",
  freshUntil: (time: string) => `Fresh until ${time}`,
  staleSince: (time: string) => `Older than wanted since ${time}; refresh to ask again`,
  pending: "Asked for; no answer yet.",
  notRefreshed: "The last refresh failed, so the value is the one of before:",
  requests: "Requests",
  forgotten: "No longer in the log, which has the last 200.",
  took: (ms: number) => `${Math.round(ms).toLocaleString("en")} ms`,
  status: (status: number) => `status ${status}`,
  copyTraceId: "Copy traceId",
  pieces: {
    figure: "The value in the answer, with its statement and year",
    figures: "The values of its row in the answer, with their statements and years",
    row: "Its row in the answer",
    field: "The field in the answer",
    answer: "The whole answer: the cell shows no single part of it, or none that can be told",
  },
  cut: "Cut after 20,000 characters.",
  copy: "Copy JSON",
  more: (number: number) => `and ${number.toLocaleString("en")} more ${number === 1 ? "query" : "queries"}.`,
  several: (number: number) =>
    `The formula reads ${count(number, "answer")}; which of them this cell shows cannot be told.`,
  queries: {
    financials: "Financials of a company",
    rankCompanies: "Listed companies by page views",
    rankCompanyPages: "Listed companies by page views, by type of page",
    rankIndustries: "Industries by page views",
    getCompany: "A private company",
    searchCompanies: "Private companies",
    universe: "Classified companies",
    constituents: "Companies under a node of the taxonomy",
    peers: "Companies under the same node of the taxonomy",
    getTaxonomyTree: "The taxonomy",
    getTaxonomyCompany: "A company's classification",
    findNames: "Names, searched in the index on this computer",
    matchNames: "A list of names, matched with the index on this computer",
  },
};

const sharedWith = (others: number) =>
  others === 1 ? "shared with 1 other formula" : `shared with ${others.toLocaleString("en")} other formulas`;

const ja: typeof en = {
  title: "選択中のセル",
  empty: "FEED の数式のあるセル、またはその表の中のセルを選ぶと、値の出所がここに表示されます。",
  none: (place) => `${place} に FEED の値はありません。FEED の数式のあるセル、またはその表の中のセルを選んでください。`,
  frozen: (date, formula) => `${date === null ? "" : `${date}に`}値に固定しました。元の数式: ${formula}`,
  frozenChanged: "固定した後に、セル、その行、または数式の参照先が変更されています。",
  unknown: (place) =>
    `${place} の数式の問い合わせを特定できません。引数が計算式であるか、まだ計算されていません。` +
    "セルを再計算するか(F2 キー、Enter キー)、引数を別のセルに入力してください。",
  year: (year, period, end) =>
    `${year} 年度${period === null ? "" : ` ${period}`}${end === null ? "" : `(${end}まで)`}`,
  versions: { CONSOLIDATED: "連結", NON_CONSOLIDATED: "単体" },
  fetchedAt: (time) => `${time} 取得`,
  resolved: (written, name, id) => `「${written}」は、このブックでは${name}を指します(${id})。`,
  resolvedAlone: "同名の他の企業にはこのデータがありません。",
  resolvedNone: (written) => `「${written}」は、このブックでは [該当なし] とされています。`,
  otherResolved: (name) => `現在の索引では${name}が該当します。選び直すまで、このブックは元の企業を使います。`,
  alsoFrom: (others) => `同じデータを使う数式: ほか ${others.toLocaleString("ja")} 個`,
  refresh: "この値を更新",
  within: (row, column, cell) => `${cell} からの表の ${row} 行 ${column} 列目`,
  isPart: "このセルは FEED の回答を使って計算しています。以下は FEED の回答です。",
  expanded: (formula) =>
    `FEED は名前の中で呼び出されています。展開した数式は ${formula} です。名前は Excel の「名前の管理」(Ctrl+F3) で編集してください。`,
  edit: (cell) => `${cell} を「作成」で編集`,
  query: "問い合わせ",
  asOf: "取得日時",
  ago: (time, ago) => `${time}(${ago})`,
  origin: "出所",
  fetched: (others) => (others === 0 ? "このウィンドウで取得" : `このウィンドウで取得、${jaSharedWith(others)}`),
  persisted: (time, others) =>
    `${time} に保存した回答${others === 0 ? "" : `、${jaSharedWith(others)}`}(リクエストなし)`,
  made: "このコンピューターで作成(リクエストなし)",
  freshness: "値の状態",
  freshUntil: (time) => `${time} までは新しい値です`,
  staleSince: (time) => `${time} から古い値です。更新すると再取得します`,
  pending: "問い合わせ中で、回答はまだありません。",
  notRefreshed: "前回の更新に失敗したため、以前の値のままです。",
  requests: "リクエスト",
  forgotten: "記録(最新 200 件)に残っていません。",
  took: (ms) => `${Math.round(ms).toLocaleString("ja")} ms`,
  status: (status) => `ステータス ${status}`,
  copyTraceId: "traceId をコピー",
  pieces: {
    figure: "回答の中の値(財務諸表と年度を含む)",
    figures: "回答の中の、この行の値(財務諸表と年度を含む)",
    row: "回答の中の、この行",
    field: "回答の中の項目",
    answer: "回答の全体(このセルに当たる部分はないか、特定できません)",
  },
  cut: "20,000 文字で打ち切りました。",
  copy: "JSON をコピー",
  more: (number) => `ほか ${number.toLocaleString("ja")} 件のクエリ`,
  several: (number) =>
    `この数式は ${number.toLocaleString("ja")} 件の回答を使います。このセルがどれに当たるかは特定できません。`,
  queries: {
    financials: "企業の財務情報",
    rankCompanies: "上場企業の閲覧数ランキング",
    rankCompanyPages: "上場企業の閲覧数ランキング(ページ種別)",
    rankIndustries: "業種の閲覧数ランキング",
    getCompany: "非上場企業",
    searchCompanies: "非上場企業の一覧",
    universe: "分類済み企業の一覧",
    constituents: "産業分類に属する企業",
    peers: "同じ産業分類に属する企業",
    getTaxonomyTree: "産業分類",
    getTaxonomyCompany: "企業の産業分類",
    findNames: "企業名(このコンピューターの索引で検索)",
    matchNames: "名称の一覧(このコンピューターの索引と照合)",
  },
};

const jaSharedWith = (others: number) => `ほかの数式 ${others.toLocaleString("ja")} 個と共有`;

export const provenanceTexts = { en, ja };
