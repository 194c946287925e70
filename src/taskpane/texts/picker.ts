import type { NameSource } from "../../feed/names/rows";
import { count } from "./quantities";

const companies = (number: number) => count(number, "company", "companies");

const en = {
  hint: "Name, ticker or number",
  example: (company: string) => `Such as ${company}`,
  asWritten: (text: string) => `Use ${text} as it is`,
  listed: (ticker: string) => `Listed · ${ticker}`,
  /** @param latest the last fiscal year with financials; null where it is not known */
  private: (latest: number | null) => (latest === null ? "Private" : `Private · financials to ${latest}`),
  leftOut: {
    private: (left: number) => `${companies(left)} without financials left out.`,
    taxonomy: (left: number) => `${companies(left)} without a classification left out.`,
  } satisfies Record<NameSource, (companies: number) => string>,
  searching: "Searching…",
  noMatch: (text: string) => `No company fits ${text}. Try a shorter part of the name, or look for it in Find.`,
  noNames: "Names cannot be searched here yet.",
  lookInFind: "Look in Find",
  chosen: "Chosen companies",
  chosenCount: (chosen: number, doubtful: number) =>
    doubtful === 0 ? companies(chosen) : `${companies(chosen)}, ${doubtful} in doubt: press one to choose its company.`,
  remove: (name: string) => `Remove ${name}`,
  choose: (text: string) => `Choose a company for ${text}`,
  candidates: (text: string) => `Which company is ${text}?`,
  noCandidates: (text: string) => `No company is like ${text}.`,
  searchAgain: "Search again",
  removeText: "Remove",
  chooseInFind: "Choose the company in Find",
  choosing: (text: string) => `Open the company that “${text}” means, then press its first button.`,
  use: (text: string) => `Use for “${text}” in this workbook`,
  noFigures: (text: string) => `The formulas with “${text}” show financials, and this company has none.`,
  used: (text: string, name: string) => toSentence(`In this workbook, “${text}” now means ${name}`),
  chooseOther: "Choose another…",
  forget: "Forget this choice",
  forgotten: (text: string) => `The choice of a company for “${text}” is forgotten.`,
};

/** Many names end with a full stop of their own. */
const toSentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

const ja: typeof en = {
  hint: "企業名、証券コード、番号",
  example: (company) => `例: ${company}`,
  asWritten: (text) => `${text} をそのまま使う`,
  listed: (ticker) => `上場 · ${ticker}`,
  private: (latest) => (latest === null ? "非上場" : `非上場 · 財務情報 ${latest} 年度まで`),
  leftOut: {
    private: (left) => `財務情報のない企業 ${left.toLocaleString("ja")} 社を除いています。`,
    taxonomy: (left) => `産業分類のない企業 ${left.toLocaleString("ja")} 社を除いています。`,
  },
  searching: "検索しています…",
  noMatch: (text) => `${text} に一致する企業がありません。名前の一部を短く入力するか、「検索」で探してください。`,
  noNames: "ここではまだ企業名を検索できません。",
  lookInFind: "「検索」で探す",
  chosen: "選択した企業",
  chosenCount: (chosen, doubtful) =>
    doubtful === 0
      ? `${chosen.toLocaleString("ja")} 社`
      : `${chosen.toLocaleString("ja")} 社(要確認 ${doubtful.toLocaleString("ja")} 社)。押して企業を選んでください。`,
  remove: (name) => `${name} を外す`,
  choose: (text) => `${text} の企業を選ぶ`,
  candidates: (text) => `${text} に当たる企業を選んでください`,
  noCandidates: (text) => `${text} に似た名称の企業はありません。`,
  searchAgain: "検索し直す",
  removeText: "外す",
  chooseInFind: "「検索」で企業を選ぶ",
  choosing: (text) => `「${text}」に当たる企業を開き、最初のボタンを押してください。`,
  use: (text) => `このブックの「${text}」に使う`,
  noFigures: (text) => `「${text}」の数式は財務情報を表示しますが、この企業にはありません。`,
  used: (text, name) => `このブックでは、「${text}」は${name}を指します。`,
  chooseOther: "別の企業を選ぶ…",
  forget: "この選択を取り消す",
  forgotten: (text) => `このブックの「${text}」の企業の選択を取り消しました。`,
};

export const pickerTexts = { en, ja };
