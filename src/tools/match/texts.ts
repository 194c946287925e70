import type { Evidence } from "../../feed/names";
import { usePane } from "../../taskpane/pane";
import { count } from "../../taskpane/texts/quantities";

const names = (number: number) => count(number, "name");
const toEnglish = (number: number): string => number.toLocaleString("en");

const en = {
  begin:
    "Select the cells with the names, then press Match. Columns to the right of the names can help: ticker, registration number, website, city.",
  match: "Match",
  resume: (place: string) => `Go on with ${place}`,
  reading: "Reading cells…",
  matching: (done: number, all: number) => `Matching names: ${toEnglish(done)} of ${toEnglish(all)}`,
  progress: "Progress",
  stop: "Stop",
  goOn: "Go on matching",
  stopped: (left: number) => `${names(left)} not matched yet.`,
  noNames: (address: string) =>
    `${address} has no names. Select the cells with the names, then press Match; the names are in the first column.`,
  tooMany: (found: number, most: number) =>
    `The cells have ${toEnglish(found)} different names; at most ${toEnglish(most)} can be matched at once. Select fewer cells.`,

  summary: (place: string, all: number, cells: number) =>
    `${place}: ${all === cells ? names(all) : `${names(all)} in ${toEnglish(cells)} cells`}.`,
  hidden: (cells: number) =>
    `${count(cells, "name")} in hidden rows ${cells === 1 ? "is" : "are"} included. To leave ${cells === 1 ? "it" : "them"} out, copy the visible cells elsewhere and match those.`,
  headings: (rows: number) => `${count(rows, "heading row")} skipped.`,
  blanks: (blanks: number) => `${count(blanks, "blank row")} skipped.`,
  unreadable: (cells: number) =>
    `${count(cells, "cell")} skipped: an error, TRUE, FALSE or a text above 300 characters.`,
  steps: "Steps",
  step: {
    sure: (number: number) => `Sure ${toEnglish(number)}`,
    open: (number: number) => `To decide ${toEnglish(number)}`,
    decided: (number: number) => `Decided ${toEnglish(number)}`,
  },

  noSure: "No sure matches are left.",
  sureHint: "Take the tick off what you doubt. You then decide on it by itself.",
  sureList: (number: number) => `${names(number)} with a sure company`,
  accept: (number: number) => (number === 1 ? "Accept 1" : `Accept ${toEnglish(number)}`),
  later: "Not now",
  sameAs: (others: string) => `Same company as ${others}`,

  place: (at: number, all: number) => `${toEnglish(at)} of ${toEnglish(all)}`,
  which: (text: string) => `Which company is ${text}?`,
  unknown: (text: string) => `No company is like ${text}. Look for another one, or choose None of these.`,
  cells: (cells: string) => `In ${cells}`,
  more: (cells: number) => `and ${count(cells, "more cell")}`,
  keys: "Keys: 1 to 5 choose, Enter takes the marked one, S skips, N is none of these, B goes back, / looks for another.",
  noneOfThese: "None of these",
  skip: "Skip",
  back: "Back",
  clear: "Take the decision back",
  chosen: (name: string) => `Decided: ${name}`,
  chosenNone: "Decided: none of these",
  other: "Another company",
  otherHint: "Name or number",
  nobody: (text: string) => `No company fits ${text}.`,
  alike: (companies: number) => `${toEnglish(companies)} companies fit equally well.`,
  score: (share: number) => `score ${Math.round(share * 100)}%`,
  evidence: {
    workbook: "chosen in this workbook",
    companyId: "same id",
    ticker: "same ticker",
    registrationNumber: "same registration number",
    website: "same website",
    city: "same city",
    industry: "same industry",
    legalForm: "same legal form",
  } satisfies Record<Evidence, string>,
  allDecided: "All names are decided.",
  skipped: (number: number) => `${names(number)} left open.`,
  reviewSkipped: "Decide on them",
  sureLeft: (number: number) => `${names(number)} with a sure company ${number === 1 ? "is" : "are"} not accepted yet.`,
  showSure: "Show them",

  decidedList: (number: number) => `${count(number, "decided name")}`,
  none: "No company",
  nothingDecided: "Nothing is decided yet.",
  change: "Change",
  changeOf: (text: string) => `Change the company of ${text}`,

  result: "Result",
  resultHint: (withCompany: number, all: number) =>
    `${toEnglish(withCompany)} of ${names(all)} ${all === 1 ? "has" : "have"} a company. All formulas with these names keep to your decisions.`,
  ids: (address: string) => `Write ids into ${address}`,
  formula: (cell: string) => `Write a formula into ${cell}`,
  written: {
    ids: (cells: number, place: string) => `${count(cells, "id")} written into ${place}.`,
    formula: (_cells: number, place: string) => `The formula is in ${place}.`,
  },
  changed: "The names have changed since they were read. Select them and press Match again; your decisions stay.",
  sameAlready: (place: string) => `${place} holds this already.`,
  occupied: (cells: number, place: string) =>
    `${count(cells, "cell")} of ${place} ${cells === 1 ? "holds" : "hold"} something else. Replace?`,
  spilled: (place: string) =>
    `${place} is filled by a formula or holds something. Clear it, or move the names next to free columns.`,
  leftAlone: (cells: number) =>
    `${count(cells, "cell")} changed meanwhile or ${cells === 1 ? "is" : "are"} merged, and ${cells === 1 ? "stays" : "stay"}.`,
  notWritten: (place: string) =>
    `Nothing is written: the cells of ${place} have changed meanwhile or are merged. Unmerge them, or press the button again.`,
  undo: "Undo",
  undone: (place: string) => `${place} is as before.`,
  notUndone: (place: string) => `Nothing is undone: the cells of ${place} have changed or moved since.`,
  partlyUndone: (left: number, place: string) =>
    `${place} is as before, but for ${count(left, "cell")} that ${left === 1 ? "has" : "have"} changed since.`,
};

export type MatchTexts = typeof en;

const toJapanese = (number: number): string => number.toLocaleString("ja");

const ja: MatchTexts = {
  begin:
    "企業名のセルを選択し、[照合する] を押してください。右側の列に証券コード、登録番号、ウェブサイト、都市があれば手掛かりになります。",
  match: "照合する",
  resume: (place) => `${place} の続きから`,
  reading: "セルを読み込んでいます…",
  matching: (done, all) => `企業名を照合しています: ${toJapanese(all)} 件中 ${toJapanese(done)} 件`,
  progress: "進行状況",
  stop: "中止",
  goOn: "照合を再開",
  stopped: (left) => `${toJapanese(left)} 件が未照合です。`,
  noNames: (address) =>
    `${address} に企業名がありません。先頭の列に企業名があるセルを選択し、[照合する] を押してください。`,
  tooMany: (found, most) =>
    `${toJapanese(found)} 件の企業名があります。一度に照合できるのは ${toJapanese(most)} 件までです。選択範囲を小さくしてください。`,

  summary: (place, all, cells) =>
    all === cells
      ? `${place}: 企業名 ${toJapanese(all)} 件。`
      : `${place}: 企業名 ${toJapanese(all)} 件(セル ${toJapanese(cells)} 個)。`,
  hidden: (cells) =>
    `非表示の行の企業名 ${toJapanese(cells)} 件も含みます。除くには、表示されているセルを別の場所にコピーして照合してください。`,
  headings: (rows) => `見出し ${toJapanese(rows)} 行を除きました。`,
  blanks: (blanks) => `空白 ${toJapanese(blanks)} 行を除きました。`,
  unreadable: (cells) =>
    `エラー値、TRUE、FALSE、または 300 文字を超えるテキストのセル ${toJapanese(cells)} 個を除きました。`,
  steps: "手順",
  step: {
    sure: (number) => `確実 ${toJapanese(number)}`,
    open: (number) => `要確認 ${toJapanese(number)}`,
    decided: (number) => `確定 ${toJapanese(number)}`,
  },

  noSure: "確実な候補は残っていません。",
  sureHint: "疑わしいものはチェックを外してください。後で個別に確認できます。",
  sureList: (number) => `確実な候補 ${toJapanese(number)} 件`,
  accept: (number) => `${toJapanese(number)} 件を確定`,
  later: "後で",
  sameAs: (others) => `${others}と同じ企業`,

  place: (at, all) => `${toJapanese(at)} / ${toJapanese(all)}`,
  which: (text) => `${text} に当たる企業を選んでください`,
  unknown: (text) => `${text} に似た名称の企業はありません。別の企業を検索するか、[該当なし] を選んでください。`,
  cells: (cells) => `セル: ${cells}`,
  more: (cells) => `ほか ${toJapanese(cells)} 個`,
  keys: "キー操作: 1~5 で選択、Enter で枠の付いた候補を確定、S でスキップ、N で該当なし、B で戻る、/ で別の企業を検索",
  noneOfThese: "該当なし",
  skip: "スキップ",
  back: "戻る",
  clear: "確定を取り消す",
  chosen: (name) => `確定済み: ${name}`,
  chosenNone: "確定済み: 該当なし",
  other: "別の企業",
  otherHint: "企業名または番号",
  nobody: (text) => `${text} に該当する企業はありません。`,
  alike: (companies) => `同程度に当てはまる企業が ${toJapanese(companies)} 社あります。`,
  score: (share) => `一致度 ${Math.round(share * 100)}%`,
  evidence: {
    workbook: "このブックで選択済み",
    companyId: "ID が一致",
    ticker: "証券コードが一致",
    registrationNumber: "登録番号が一致",
    website: "ウェブサイトが一致",
    city: "都市が一致",
    industry: "業種が一致",
    legalForm: "法人格が一致",
  },
  allDecided: "すべての企業名が確定しました。",
  skipped: (number) => `${toJapanese(number)} 件が未確定です。`,
  reviewSkipped: "未確定を確認",
  sureLeft: (number) => `確実な候補 ${toJapanese(number)} 件がまだ確定していません。`,
  showSure: "表示",

  decidedList: (number) => `確定済み ${toJapanese(number)} 件`,
  none: "該当なし",
  nothingDecided: "確定した企業名はまだありません。",
  change: "変更",
  changeOf: (text) => `${text} の企業を変更`,

  result: "結果",
  resultHint: (withCompany, all) =>
    `企業名 ${toJapanese(all)} 件のうち ${toJapanese(withCompany)} 件の企業が確定しています。これらの企業名を使う数式にも反映されます。`,
  ids: (address) => `ID を ${address} に書き込む`,
  formula: (cell) => `数式を ${cell} に書き込む`,
  written: {
    ids: (cells, place) => `${place} に ID を ${toJapanese(cells)} 件書き込みました。`,
    formula: (_cells, place) => `${place} に数式を書き込みました。`,
  },
  changed: "読み込んだ後に企業名が変更されています。選択し直して [照合する] を押してください。確定した内容は残ります。",
  sameAlready: (place) => `${place} には既に同じ内容があります。`,
  occupied: (cells, place) => `${place} のうち ${toJapanese(cells)} 個のセルに別の内容があります。置き換えますか?`,
  spilled: (place) =>
    `${place} には数式の結果または別の内容があります。消去するか、右側が空いている場所に企業名を移してください。`,
  leftAlone: (cells) => `その間に変更されたか結合されているセル ${toJapanese(cells)} 個はそのままです。`,
  notWritten: (place) =>
    `${place} のセルがその間に変更されたか結合されているため、書き込みませんでした。結合を解除するか、もう一度ボタンを押してください。`,
  undo: "元に戻す",
  undone: (place) => `${place} を元に戻しました。`,
  notUndone: (place) => `${place} のセルがその後に変更または移動されたため、元に戻していません。`,
  partlyUndone: (left, place) =>
    `${place} を元に戻しました。その後に変更されたセル ${toJapanese(left)} 個はそのままです。`,
};

export const matchTexts = { en, ja };

/** The texts of matching in the pane's language, which load with its script. */
export const useMatchTexts = (): MatchTexts => matchTexts[usePane().texts.language];
