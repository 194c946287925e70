import { count } from "./quantities";

const formulas = (number: number) => count(number, "FEED formula");

const formulasFilling = (number: number, filled: number) =>
  `${formulas(number)}${filled > number ? ` (${count(filled, "cell")})` : ""}`;

const en = {
  more: "Menu",
  keys: "F6 leads to the sheet and back.",
  commands: {
    refreshAll: "Refresh all",
    refreshSelection: "Refresh selection",
    refresh: "Refresh…",
    cancelRefresh: "Cancel refresh",
    freeze: "Freeze to values…",
    thaw: "Thaw…",
    copyValues: "Copy as values",
    aboutCell: "About this cell",
    repair: "Repair formulas",
    help: "Help on formula",
  },
  /** @param filled number of cells that they fill; default one each */
  formulasIn: {
    selection: (number: number, filled = number) => `${formulasFilling(number, filled)} in the selection`,
    sheet: (number: number, filled = number) => `${formulasFilling(number, filled)} on this sheet`,
    workbook: (number: number, filled = number) => `${formulasFilling(number, filled)} in the workbook`,
    stale: (number: number) => `${formulas(number)} with stale values`,
  },
  disconnectedByHand: "Disconnected, so nothing can be refreshed.",
  connectAndRefresh: "Connect and refresh",
  notConnected: "Not connected, so nothing was refreshed. Settings show why.",
  showSettings: "Show settings",
  nothingToFreeze: "This workbook holds no FEED formula to freeze.",
  confirmFreeze:
    "Put the values that they show in the place of FEED formulas? They will not be refreshed any more. " +
    "The workbook keeps the formulas: Thaw, in the menu (⋯), brings them back.",
  freezeNow: (what: string) => `Freeze ${what}`,
  freezing: (number: number) => `Putting values in the place of ${formulas(number)}…`,
  frozen: (number: number) =>
    number === 1 ? "1 formula is a value now." : `${number.toLocaleString("en")} formulas are values now.`,
  leftUnfrozen: (number: number, places: string, isCut: boolean) =>
    `${count(number, "formula was", "formulas were")} left, since they show no value: ${places}${isCut ? " and others" : ""}. ` +
    "Refresh, then freeze again.",
  nothingToThaw: "This workbook holds no value that was frozen and whose formula is kept.",
  confirmThaw: "Put FEED formulas back in the place of the values?",
  thawNow: (what: string) => `Thaw ${what}`,
  frozenCells: (number: number) => `The whole workbook has ${count(number, "frozen cell")}:`,
  thawing: "Bringing formulas back…",
  thawed: (number: number) => `${formulas(number)} ${number === 1 ? "is" : "are"} back.`,
  leftFrozen: (number: number) =>
    `${count(number, "value is", "values are")} left, since the value or the labels in its row have changed, rows were sorted, ` +
    "or cells that the formula refers to are gone. The workbook keeps the formulas. " +
    "To have one back, select the cell where it belongs and press Put back here.",
  goneFrozen: (number: number) =>
    `${formulas(number)} ${number === 1 ? "is" : "are"} no longer kept, since the cells were deleted.`,
  copying: {
    freezing: "Copy as values, step 1 of 4: putting values in the place of formulas…",
    reading: "Copy as values, step 2 of 4: reading the workbook…",
    thawing: "Copy as values, step 3 of 4: bringing the formulas back…",
    opening: "Copy as values, step 4 of 4: opening the copy…",
  },
  copied:
    "The copy is open in a window of its own and shows values only. Save it there and pass it on. " +
    "It keeps the formulas out of sight: whoever has FEED can thaw it.",
  leftInCopy: (number: number, places: string, isCut: boolean) =>
    `${formulas(number)} ${number === 1 ? "shows" : "show"} no value and ${number === 1 ? "stands" : "stand"} in the copy ` +
    `as before: ${places}${isCut ? " and others" : ""}. To have values, refresh, then copy again.`,
  repairing: "Looking for formulas that Excel no longer calculates…",
  nothingToRepair:
    "No FEED formula in this workbook needs repair: none shows #NAME?, and those that show #VALUE! or #BUSY! are live. " +
    "About this cell shows why.",
  repaired: (number: number) =>
    `${formulas(number)} entered again. A cell that still shows #NAME? has a misspelt name: select it and choose Help. ` +
    "For one that still shows #VALUE!, choose About this cell.",
  refusedRepair: (number: number, places: string, isCut: boolean) =>
    `Excel refused ${formulas(number)}: ${places}${isCut ? " and others" : ""}. Unprotect the sheet, or enter an array ` +
    "formula anew with Ctrl+Shift+Enter.",
  undetermined: (number: number, places: string, isCut: boolean) =>
    `${formulas(number)} could not be told from live ones and ${number === 1 ? "was" : "were"} left alone: ` +
    `${places}${isCut ? " and others" : ""}. Press Ctrl+Alt+F9 to calculate all formulas anew.`,
  deadCopies: (number: number, places: string, isCut: boolean) =>
    `${count(number, "cell holds a dead copy", "cells hold dead copies")} of a formula, which Google Sheets left and nothing ` +
    `updates: ${places}${isCut ? " and others" : ""}. Thaw brings back each that reads no other ` +
    "cells. Enter the others anew.",
  cutTables: (number: number, places: string, isCut: boolean) =>
    `${count(number, "cell shows", "cells show")} a part of a table only: ${places}${isCut ? " and others" : ""}. ` +
    "@, SINGLE or an array formula ({…}) leaves the rest out. Enter the formula anew without it to have the whole table.",
  helpOn: (formula: string) => `Open the help page on ${formula}`,
  helpOnAll: "Open the list of all formulas",
  partFailed: (part: string) =>
    `${part} has stopped because of an error in the add-in. Formulas and the other tabs go on.`,
  partMissing: (part: string) =>
    `${part} could not be loaded. Check that the companion runs, then try again; ` +
    "after an update of the add-in, close the workbook and open it again.",
  retry: "Try again",
};

const jaNumber = (number: number) => number.toLocaleString("ja");

const jaFormulas = (number: number, filled: number) =>
  `数式 ${jaNumber(number)} 個${filled > number ? `(${jaNumber(filled)} セル)` : ""}`;

const ja: typeof en = {
  more: "メニュー",
  keys: "F6 でシートとウィンドウを行き来できます。",
  commands: {
    refreshAll: "すべて更新",
    refreshSelection: "選択範囲を更新",
    refresh: "更新…",
    cancelRefresh: "更新を中止",
    freeze: "値に固定…",
    thaw: "数式に戻す…",
    copyValues: "値だけのコピーを開く",
    aboutCell: "このセルについて",
    repair: "数式を修復",
    help: "数式のヘルプ",
  },
  formulasIn: {
    selection: (number, filled = number) => `選択範囲の${jaFormulas(number, filled)}`,
    sheet: (number, filled = number) => `このシートの${jaFormulas(number, filled)}`,
    workbook: (number, filled = number) => `ブック全体の${jaFormulas(number, filled)}`,
    stale: (number) => `古い値の${jaFormulas(number, number)}`,
  },
  disconnectedByHand: "切断されているため、更新できません。",
  connectAndRefresh: "接続して更新",
  notConnected: "接続できないため、更新していません。理由は「設定」に表示されています。",
  showSettings: "「設定」を表示",
  nothingToFreeze: "このブックに、値に固定する FEED の数式がありません。",
  confirmFreeze:
    "FEED の数式を、表示中の値に置き換えますか。値は更新されなくなります。" +
    "数式はブックに保存され、メニュー(⋯)の「数式に戻す」で元に戻せます。",
  freezeNow: (what) => `${what}を固定`,
  freezing: (number) => `${jaNumber(number)} 個の数式を値に置き換えています…`,
  frozen: (number) => `${jaNumber(number)} 個の数式を値に固定しました。`,
  leftUnfrozen: (number, places, isCut) =>
    `数式 ${jaNumber(number)} 個は値を表示していないため、そのまま残しました: ${places}${isCut ? " など" : ""}。` +
    "更新してから、もう一度固定してください。",
  nothingToThaw: "このブックに、数式に戻せる固定した値がありません。",
  confirmThaw: "固定した値を、FEED の数式に戻しますか。",
  thawNow: (what) => `${what}に戻す`,
  frozenCells: (number) => `ブック全体で固定したセル ${jaNumber(number)} 個:`,
  thawing: "数式に戻しています…",
  thawed: (number) => `${jaNumber(number)} 個の数式に戻しました。`,
  leftFrozen: (number) =>
    `値 ${jaNumber(number)} 個は、値や行の見出しが変更されたか、行が並べ替えられたか、数式の参照先がないため、そのまま残しました。` +
    "数式はブックに保存されたままです。数式を入力するセルを選択し、「ここに戻す」を押してください。",
  goneFrozen: (number) => `${jaNumber(number)} 個の数式は、セルが削除されたため破棄しました。`,
  copying: {
    freezing: "値だけのコピー (1/4): 数式を値に置き換えています…",
    reading: "値だけのコピー (2/4): ブックを読み取っています…",
    thawing: "値だけのコピー (3/4): 数式に戻しています…",
    opening: "値だけのコピー (4/4): コピーを開いています…",
  },
  copied:
    "値だけのコピーを別のウィンドウで開きました。そこで保存して渡してください。" +
    "コピーには数式が見えない形で保存されており、FEED があれば数式に戻せます。",
  leftInCopy: (number, places, isCut) =>
    `${jaNumber(number)} 個の数式は値を表示していないため、コピーでも数式のままです: ${places}${isCut ? " など" : ""}。` +
    "値にするには、更新してから、もう一度コピーしてください。",
  repairing: "Excel で計算されなくなった数式を探しています…",
  nothingToRepair:
    "このブックに、修復が必要な FEED の数式はありません。#NAME? と表示されている数式はなく、#VALUE! や #BUSY! と表示されている数式は動作中です。" +
    "理由は「このセルについて」で確認できます。",
  repaired: (number) =>
    `FEED の数式 ${jaNumber(number)} 個を入力し直しました。まだ #NAME? と表示されるセルは関数名が誤っています。セルを選び、「数式のヘルプ」をご覧ください。` +
    "まだ #VALUE! と表示されるセルは、「このセルについて」をご覧ください。",
  refusedRepair: (number, places, isCut) =>
    `Excel が FEED の数式 ${jaNumber(number)} 個の入力を拒否しました: ${places}${isCut ? " など" : ""}。` +
    "シートの保護を解除するか、配列数式の場合は Ctrl+Shift+Enter で入力し直してください。",
  undetermined: (number, places, isCut) =>
    `FEED の数式 ${jaNumber(number)} 個は動作中の数式と区別できないため、そのまま残しました: ${places}${isCut ? " など" : ""}。` +
    "Ctrl+Alt+F9 を押すと、すべての数式が再計算されます。",
  deadCopies: (number, places, isCut) =>
    `セル ${jaNumber(number)} 個には、Google スプレッドシートが残した更新されない数式の写しがあります: ${places}${isCut ? " など" : ""}。` +
    "ほかのセルを参照しない数式は「数式に戻す」で元に戻せます。それ以外は数式を入力し直してください。",
  cutTables: (number, places, isCut) =>
    `セル ${jaNumber(number)} 個は表の一部だけを表示しています: ${places}${isCut ? " など" : ""}。` +
    "@、SINGLE、または配列数式 ({…}) が残りを省いています。これらを外して数式を入力し直すと、表全体が表示されます。",
  helpOn: (formula) => `${formula} のヘルプを開く`,
  helpOnAll: "数式の一覧を開く",
  partFailed: (part) => `アドインのエラーにより「${part}」が停止しました。数式とほかのタブは引き続き使えます。`,
  partMissing: (part) =>
    `「${part}」を読み込めません。コンパニオンが起動しているかを確認して、再試行してください。` +
    "アドインの更新後は、ブックをいったん閉じて、開き直してください。",
  retry: "再試行",
};

export const commandsTexts = { en, ja };

const cells = (number: number) => count(number, "cell");

/** The common part of the sentences about manual calculation. */
const MANUAL = "Excel calculates by hand only (Formulas > Calculation Options), so cells take no new values.";
const jaManual = "計算方法が手動([数式] > [計算方法の設定])のため、セルに新しい値が反映されません。";

const refresh = {
  looking: "Looking for FEED formulas…",
  whatToRefresh: "What shall be refreshed? Cells show their values meanwhile.",
  refreshNow: (what: string) => `Refresh ${what}`,
  nothingIn: {
    selection: "The selection holds no FEED formula. Select cells that hold one, or refresh all.",
    sheet: "This sheet holds no FEED formula. Thaw, in the menu (⋯), brings frozen ones back; else create it again.",
  },
  noQueries: (number: number) =>
    `${number === 1 ? "This FEED formula needs" : `These ${formulas(number)} need`} nothing of the provider, so there is ` +
    "nothing to refresh. Where one shows an error, Changes says why.",
  noneKnown: (number: number) =>
    `It is not known which live formulas ${cells(number)} hold: Excel has not run them yet, or their text does not tell ` +
    "what they are given. Refresh everything.",
  someUnknown: (number: number) =>
    `Of ${cells(number)} it is not known which live formulas they hold; Refresh all reaches them.`,
  refetching: "Refreshing; cells show their values meanwhile.",
  progress: "Progress",
  done: (percent: number, requests: number) => `${percent}% · ${count(requests, "request")}`,
  refreshed: (number: number) => `${count(number, "formula")} refreshed.`,
  failed: (failed: number, all: number) =>
    `${failed.toLocaleString("en")} of ${count(all, "formula")} could not be refreshed; cells that had a value keep it`,
  toCorrect: (number: number) => `${count(number, "formula needs", "formulas need")} your attention.`,
  colon: ": ",
  comma: ", ",
  stop: ".",
  others: (number: number) => `and ${count(number, "other")}`,
  running: (percent: number) => `Refreshing: ${percent}%`,
  cancel: "Cancel",
  cancelled: "Cancelled; cells without a new value keep theirs.",
  nothingRunning: "No refresh is under way.",
  changed: (number: number) => (number === 0 ? "No cell changed." : `${cells(number)} changed.`),
  whatChanged: "What changed",
  showFormulas: "Show formulas",
  whatFailed: "what failed",
  manual:
    `${MANUAL} Deliver once: Excel calculates automatically until they have them, then by hand again. ` +
    "Or refresh anyway, and press Ctrl+Alt+F9 afterwards.",
  manualSchedule: `${MANUAL} Set it to automatic, or press Ctrl+Alt+F9 after each refresh.`,
  deliverOnce: "Deliver once",
  refreshAnyway: "Refresh anyway",
};

const refreshJa: typeof refresh = {
  looking: "FEED の数式を探しています…",
  whatToRefresh: "更新する数式を選んでください。その間もセルには現在の値が表示されます。",
  refreshNow: (what) => `${what}を更新`,
  nothingIn: {
    selection: "選択範囲に FEED の数式がありません。数式のあるセルを選ぶか、すべて更新してください。",
    sheet:
      "このシートに FEED の数式がありません。メニュー(⋯)の「数式に戻す」を実行するか、シートを作成し直してください。",
  },
  noQueries: (number) =>
    `FEED の数式 ${jaNumber(number)} 個はデータ提供元のデータを使わないため、更新するものがありません。` +
    "エラーが表示されている場合、理由は「変更」に表示されています。",
  noneKnown: (number) =>
    `${jaNumber(number)} 個のセルの数式を特定できません。Excel がまだ計算していないか、数式の文字列から引数を読み取れません。` +
    "「すべて更新」を実行してください。",
  someUnknown: (number) => `${jaNumber(number)} 個のセルの数式を特定できませんでした。「すべて更新」では更新されます。`,
  refetching: "更新しています。その間もセルには現在の値が表示されます。",
  progress: "進行状況",
  done: (percent, requests) => `${percent}% · リクエスト ${jaNumber(requests)} 回`,
  refreshed: (number) => `数式 ${jaNumber(number)} 個を更新しました。`,
  failed: (failed, all) =>
    `数式 ${jaNumber(all)} 個のうち ${jaNumber(failed)} 個を更新できませんでした(値のあったセルには、その値が残ります)`,
  toCorrect: (number) => `数式 ${jaNumber(number)} 個に対応が必要です。`,
  colon: ": ",
  comma: "、",
  stop: "。",
  others: (number) => `ほか ${jaNumber(number)} 個`,
  running: (percent) => `更新中: ${percent}%`,
  cancel: "中止",
  cancelled: "更新を中止しました。新しい値のないセルの値はそのままです。",
  nothingRunning: "実行中の更新はありません。",
  changed: (number) => (number === 0 ? "変わったセルはありません。" : `${jaNumber(number)} 個のセルが変わりました。`),
  whatChanged: "変更内容",
  showFormulas: "数式を表示",
  whatFailed: "失敗した数式",
  manual:
    `${jaManual}「一度だけ反映」では、値が届くまで自動計算に切り替え、その後手動に戻します。` +
    "このまま更新した場合は、あとで Ctrl+Alt+F9 を押してください。",
  manualSchedule: `${jaManual}自動にするか、更新のたびに Ctrl+Alt+F9 を押してください。`,
  deliverOnce: "一度だけ反映",
  refreshAnyway: "このまま更新",
};

export const refreshTexts = { en: refresh, ja: refreshJa };
