import { usePane } from "../../taskpane/pane";
import { count } from "../../taskpane/texts/quantities";
import type { Unit } from "./cell-texts";
import type { Reason } from "./reasons";

const numbers = (number: number) => count(number, "typed number");
const jaNumbers = (number: number) => `数値 ${number.toLocaleString("ja")} 個`;
const companies = (number: number) => count(number, "company", "companies");
const requests = (number: number, isLeast: boolean) => `About ${count(number, "request")}${isLeast ? " or more" : ""}.`;

const en = {
  select: "Select one block of typed numbers: companies on one side, years or metrics on the other.",
  noNumbers: "There is no typed number in the selection. Formulas, dates and percentages do not count.",
  noCompanies:
    "Nothing beside these numbers names a company. Write its name, ticker, registration number or id above or in front of them. " +
    "Sheets makes one company's statement.",
  severalBlocks:
    "This is more than one block. Select cells in which each company stands once, beside the years of one metric or the metrics of one year.",
  tooLarge: (most: number) => `Select at most ${most.toLocaleString("en")} cells.`,
  found: (place: string, number: number, named: number) => `${place}: ${numbers(number)}, ${companies(named)}.`,
  costs: (number: number, isLeast: boolean) =>
    number === 0 ? "Costs no request: the figures are here already." : requests(number, isLeast),
  compare: "Compare with FEED",
  comparing: (done: number, all: number) => `Reading: ${done.toLocaleString("en")} of ${companies(all)}…`,
  cancel: "Cancel",
  another: "Another block",
  proposals: "What the numbers are",
  row: (row: string) => `Row ${row}`,
  column: (column: string) => `Column ${column}`,
  block: "All numbers",
  asTyped: "Leave as typed",
  nothingFits: "Nothing fits; left as typed",
  choose: (choices: number) => `Choose: ${choices} readings fit`,
  other: "The figures fit another metric than the label. Choose.",
  fits: (agreeing: number, all: number) => `${agreeing.toLocaleString("en")} of ${all.toLocaleString("en")} agree`,
  units: { 1: "units", 1e3: "thousands", 1e6: "millions", 1e8: "100 millions", 1e9: "billions" } satisfies Record<
    Unit,
    string
  >,
  consolidation: (basis: string) =>
    ({ CONSOLIDATED: "consolidated", NON_CONSOLIDATED: "not consolidated" })[basis] ?? basis,
  negative: "sign reversed",
  yearBefore: "the year before the label",
  noFigure: "FEED: no figure",
  leftAlone: (number: number) => `${numbers(number)} beside these, such as sums and ratios, stay as they are.`,
  notFound: "Companies without figures",
  noSuch: "FEED knows no company by this label.",
  staying: (number: number) => `${numbers(number)} that ${number === 1 ? "stays" : "stay"}`,
  more: (number: number) => `And ${number.toLocaleString("en")} more.`,
  theirs: (figure: string) => `FEED: ${figure}`,
  reason: (reason: Reason): string => {
    if (reason.kind === "basis") return `Equals the ${en.consolidation(reason.basis)} figure.`;
    if (reason.kind === "version") return `Equals another version of the year: ${reason.version}.`;
    if (reason.kind === "year") return `Equals the figure of ${reason.year}.`;
    if (reason.kind === "sign") return "The sign is the other one.";
    if (reason.kind === "unit") return `Another unit: ${toTimes(reason.factor, "en")} times FEED's figure.`;
    if (reason.kind === "unknown") return "No reason found.";
    return reason.isSwapped ? "A typing error: two digits are exchanged." : "A typing error: one digit is off.";
  },
  replace: (number: number) => `Replace ${numbers(number)}`,
  nothingToReplace: "No number is chosen that agrees with FEED.",
  replacing: "Replacing…",
  replaced: (number: number, place: string, kept: number, marked: number) =>
    `${numbers(number)} replaced by formulas in ${place}.` +
    (kept === 0 ? "" : ` ${numbers(kept)} had changed meanwhile and stayed.`) +
    (marked === 0 ? "" : ` ${numbers(marked)} did not agree and stayed, coloured until changed.`),
  undo: "Undo",
  undone: (restored: number, all: number, place: string) =>
    restored === all
      ? `${numbers(restored)} restored.`
      : `${numbers(restored)} restored. In ${place} ${numbers(all - restored)} or labels have changed since; use Excel's own Undo.`,
};

/** A factor as a person says it: 1,000 or 1/1,000. */
const toTimes = (factor: number, language: string): string =>
  factor >= 1 ? factor.toLocaleString(language) : `1/${Math.round(1 / factor).toLocaleString(language)}`;

const ja: typeof en = {
  select: "一方に企業、もう一方に年度または指標が並ぶ、入力済みの数値の範囲を 1 つ選択してください。",
  noNumbers: "選択範囲に入力された数値がありません。数式、日付、パーセントは対象外です。",
  noCompanies:
    "数値の周囲に企業を示すものがありません。名称、ティッカー、登録番号または ID を上か左に入力してください。" +
    "1 社の財務諸表は「シート」で作成できます。",
  severalBlocks:
    "複数の表が含まれています。各企業が 1 回だけ現れ、1 つの指標の年度、または 1 つの年度の指標が並ぶ範囲を選択してください。",
  tooLarge: (most) => `選択できるのは ${most.toLocaleString("ja")} セルまでです。`,
  found: (place, number, named) => `${place}: ${jaNumbers(number)}、${named.toLocaleString("ja")} 社`,
  costs: (number, isLeast) =>
    number === 0
      ? "取得済みのため、リクエストは不要です。"
      : `約 ${number.toLocaleString("ja")} リクエスト${isLeast ? "以上" : ""}`,
  compare: "FEED と照合",
  comparing: (done, all) => `取得中: ${all.toLocaleString("ja")} 社のうち ${done.toLocaleString("ja")} 社…`,
  cancel: "キャンセル",
  another: "別の範囲",
  proposals: "数値の内容",
  row: (row) => `${row} 行`,
  column: (column) => `${column} 列`,
  block: "すべての数値",
  asTyped: "入力値のまま",
  nothingFits: "一致なし(入力値のまま)",
  choose: (choices) => `${choices} 通りに一致します。選択してください`,
  other: "見出しと異なる指標に一致しています。選択してください。",
  fits: (agreeing, all) => `${all.toLocaleString("ja")} 個中 ${agreeing.toLocaleString("ja")} 個が一致`,
  units: { 1: "1", 1e3: "千", 1e6: "百万", 1e8: "億", 1e9: "十億" },
  consolidation: (basis) => ({ CONSOLIDATED: "連結", NON_CONSOLIDATED: "単体" })[basis] ?? basis,
  negative: "符号を反転",
  yearBefore: "見出しの前年度",
  noFigure: "FEED: データなし",
  leftAlone: (number) => `合計や比率などの${jaNumbers(number)}はそのまま残ります。`,
  notFound: "データのない企業",
  noSuch: "この見出しに当たる企業がありません。",
  staying: (number) => `そのまま残る${jaNumbers(number)}`,
  more: (number) => `ほか ${number.toLocaleString("ja")} 個`,
  theirs: (figure) => `FEED: ${figure}`,
  reason: (reason) => {
    if (reason.kind === "basis") return `${ja.consolidation(reason.basis)}の値と一致します。`;
    if (reason.kind === "version") return `同じ年度の別の版(${reason.version})と一致します。`;
    if (reason.kind === "year") return `${reason.year} 年度の値と一致します。`;
    if (reason.kind === "sign") return "符号が逆です。";
    if (reason.kind === "unit") return `単位が異なります(FEED の値の ${toTimes(reason.factor, "ja")} 倍)。`;
    if (reason.kind === "unknown") return "原因は見つかりません。";
    return reason.isSwapped ? "入力ミス: 2 桁が入れ替わっています。" : "入力ミス: 1 桁違います。";
  },
  replace: (number) => `${jaNumbers(number)}を置き換える`,
  nothingToReplace: "FEED と一致する数値が選ばれていません。",
  replacing: "置き換えています…",
  replaced: (number, place, kept, marked) =>
    `${place} の${jaNumbers(number)}を数式に置き換えました。` +
    (kept === 0 ? "" : `${jaNumbers(kept)}は照合後に変更されたため、そのまま残しました。`) +
    (marked === 0 ? "" : `一致しない${jaNumbers(marked)}はそのまま残し、変更されるまで色を付けました。`),
  undo: "元に戻す",
  undone: (restored, all, place) =>
    restored === all
      ? `${jaNumbers(restored)}を元に戻しました。`
      : `${jaNumbers(restored)}を元に戻しました。${place} では${jaNumbers(all - restored)}または見出しが変更されています。Excel の「元に戻す」をお使いください。`,
};

/** The texts of typed numbers that become formulas, which come with their script. */
export const adoptTexts = { en, ja };

/** The texts of this part, in the pane's language. */
export const useAdoptTexts = () => adoptTexts[usePane().texts.language];
