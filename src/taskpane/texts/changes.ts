import { count } from "./quantities";

const cells = (number: number) => count(number, "cell");
const jaCells = (number: number) => `${number.toLocaleString("ja")} 個のセル`;

const en = {
  title: "What changed",
  none: "After a refresh, the cells whose values changed stand here, each with what it showed before.",
  running: (number: number) => `Refreshing; ${cells(number)} changed so far.`,
  since: (number: number, time: string) => `${cells(number)} changed since ${time}.`,
  looking: "Finding the cells…",
  nothing: (time: string) => `Nothing has changed since ${time}: each cell shows what it showed before.`,
  undo: "Undo",
  undoHint: (time: string) => `Bring back what cells showed before ${time}`,
  undone: (time: string) => `Undone: cells show again what they showed before ${time}.`,
  staying: (number: number) =>
    `${number === 1 ? "1 cell still shows its" : `${number.toLocaleString("en")} cells still show their`} new value: ` +
    "what follows today's date, or had no answer before, cannot be put back.",
  insert: "Insert as sheet",
  inserting: "Inserting…",
  inserted: (sheet: string) => `Created "${sheet}". It keeps these values; a refresh does not change them.`,
  kind: "Which",
  kinds: { changed: "Changed", appeared: "Appeared", vanished: "Vanished" },
  all: "All",
  filter: "Filter",
  filterHint: "Company or metric",
  noMatch: "None of them fits. Choose All, or empty the filter.",
  cells,
  empty: "(empty)",
  to: "to",
  gone: (place: string) => `Its row has left the table at ${place}`,
  sheet: {
    name: (time: string) => `Changes ${time}`,
    title: "What the refresh changed",
    hint: (number: number, time: string) => `${cells(number)} that show another value than before ${time}`,
    headings: ["Sheet", "Cell", "Formula", "Company", "Year", "Metric", "Before", "Now", "Change", "Kind"],
  },
};

const ja: typeof en = {
  title: "変更内容",
  none: "更新すると、値が変わったセルが更新前の値とともにここに表示されます。",
  running: (number) => `更新しています。これまでに ${jaCells(number)}が変わりました。`,
  since: (number, time) => `${time} 以降に ${jaCells(number)}が変わりました。`,
  looking: "セルを探しています…",
  nothing: (time) => `${time} 以降に変わったセルはありません。すべて以前と同じ値です。`,
  undo: "元に戻す",
  undoHint: (time) => `${time} より前の値に戻します`,
  undone: (time) => `元に戻しました。セルには ${time} より前の値が表示されています。`,
  staying: (number) =>
    `${jaCells(number)}は新しい値のままです。今日の日付に基づく数式と、更新前に値がなかった数式は元に戻せません。`,
  insert: "シートに挿入",
  inserting: "挿入しています…",
  inserted: (sheet) => `シート「${sheet}」を作成しました。この内容は更新しても変わりません。`,
  kind: "種類",
  kinds: { changed: "変更", appeared: "値の追加", vanished: "値の消去" },
  all: "すべて",
  filter: "絞り込み",
  filterHint: "企業または指標",
  noMatch: "該当するセルはありません。「すべて」を選ぶか、絞り込みを空にしてください。",
  cells: jaCells,
  empty: "(空)",
  to: "から",
  gone: (place) => `この行は ${place} の表にはもうありません`,
  sheet: {
    name: (time) => `変更 ${time}`,
    title: "更新による変更",
    hint: (number, time) => `${time} より前と値が異なる ${jaCells(number)}`,
    headings: ["シート", "セル", "数式", "企業", "年度", "指標", "更新前", "更新後", "増減率", "種類"],
  },
};

export const changesTexts = { en, ja };

const fixes = {
  drifts: (times: number) =>
    `Recalculations have entered it ${times} times in a row, each time with other arguments, as with NOW() or RAND(); it waits longer each time. Round such an argument, as INT(NOW()), give "-7d" in place of dates, or type its value.`,
  dependsOn: (place: string) => `It depends on ${place}, which shows an error. Correct that cell first.`,
  dependsOnOther: "One of its arguments is an error. Correct that argument first.",
  lacking: (names: string, order: string) => `The formula lacks ${names}. The order is ${order}.`,
  misplaced: (written: string, argument: string, value: string, order: string) =>
    `“${written}” belongs in ${argument}${written === value ? "" : `, as “${value}”`}. The order is ${order}.`,
  comma: ", ",
  blocked: "Its table does not fit: other cells are in the way, or the sheet ends. Empty them, or move the formula.",
  lost: (code: string) => `FEED has handed over a value, but the cell shows ${code}.`,
  outer: (code: string) => `FEED has answered; the rest of the cell's formula gives ${code}.`,
  goTo: (place: string) => `Go to ${place}`,
  makeRoom: "Show what is in the way",
  repair: "Repair formulas",
  correct: "Correct the formula",
  correction: (name: string) => `Writes “${name}” in place of the name`,
  buildIndex: "Build the index in Find",
  decide: "Decide",
  connect: "Connect",
  settings: "Show settings",
  refresh: "Refresh this",
};

const fixesJa: typeof fixes = {
  drifts: (times) =>
    `NOW() や RAND() のように再計算のたびに引数が変わり、続けて ${times} 回入力し直されたため、取得までの待ち時間を延ばしています。INT(NOW()) のように丸めるか、日付の代わりに "-7d" を使うか、値を直接入力してください。`,
  dependsOn: (place) => `参照先の ${place} がエラーです。先にそのセルを修正してください。`,
  dependsOnOther: "引数がエラーです。先にその引数を修正してください。",
  lacking: (names, order) => `引数 ${names} がありません。順序は ${order} です。`,
  misplaced: (written, argument, value, order) =>
    `「${written}」は引数 ${argument} の値です${written === value ? "" : `(「${value}」と指定)`}。順序は ${order} です。`,
  comma: "、",
  blocked:
    "ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。そのセルを空にするか、数式を移動してください。",
  lost: (code) => `値は取得済みですが、セルには ${code} が表示されています。`,
  outer: (code) => `値は取得済みですが、セルの数式のほかの部分が ${code} になっています。`,
  goTo: (place) => `${place} に移動`,
  makeRoom: "妨げているセルを表示",
  repair: "数式を修復",
  correct: "数式を修正",
  correction: (name) => `企業名を「${name}」に置き換えます`,
  buildIndex: "「検索」で索引を作成",
  decide: "選択する",
  connect: "接続",
  settings: "「設定」を表示",
  refresh: "この値を更新",
};

export const fixesTexts = { en: fixes, ja: fixesJa };
