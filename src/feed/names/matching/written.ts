import { foldName, foldWhole } from "../folding";

/** A name as a list has it, taken apart. */
export interface WrittenName {
  /** The name without what is in brackets or behind a dash or comma. */
  main: string;
  /** What stands there: another name, a place, a department. */
  asides: readonly string[];
}

/** Forms of address, and what a list's keeper adds to a name. */
const ADDRESS =
  /\s*(?:御中|様|殿|行)\s*$|^\s*(?:attn\.?:?|attention:?|c\/o|messrs\.?|m\/s\.?|to:)\s+|^\s*(?:no\.?\s*|#)?\d{1,4}[.)、:]\s+(?=\D)/giu;
/** A part of a company, with the place that it is in. */
const BRANCH =
  /(?:[\s　]+|(?<=会社))[^\s　]{0,8}(?:本社|支社|支店|営業所|事業所|営業部|経理部|総務部|人事部|購買部|事業部)\s*$|[\s,–—-]+(?:(?<=[,–—-]\s*)[a-z]+\s+)?(?:head\s*(?:office|quarters)|headquarters|hq|branch(?:\s+office)?|(?:accounts|accounting|sales|finance|purchasing|procurement|legal|hr|it)\s+(?:dept|department|division|team)\.?)\s*$/giu;
const FORMER = /^\s*(?:旧社名|旧|前|formerly|former|f\/?k\/?a|ex|previously|old)[\s:：.]*/iu;
/** What a list's keeper notes of a company, which tells nothing of its name. */
const REMARK =
  /^\s*(?:(?:new|old|existing|former|key|vip|active|inactive|current|potential|dup\w*)?\s*(?:clients?|customers?|accounts?|prospects?|leads?|vendors?|suppliers?|partners?|targets?|new|vip|dup(?:licate|e)?s?|active|inactive|dormant|listed|unlisted|private|public|confirmed|unconfirmed|tbc|tbd|do not (?:call|contact|use)|(?:accounts?|accounting|sales|finance|purchasing|procurement|legal|hr|it)\s+(?:dept|department|division|team)|hq|head\s*(?:office|quarters)|(?:mr|mrs|ms|dr|per|via|cc|tel|fax|email|re)\b.*|see\b.*|cf\b.*|ask\b.*|note\b.*|attn\b.*|contact\b.*)|(?:新規|既存|重要|旧|大口|主要)?(?:取引先|顧客|得意先|仕入先|見込客|見込み客|お客様|客先|要確認|確認済み?|確認中|休眠|重複|上場|非上場|未上場|新規|既存|重要|本社|[^\s]{0,6}(?:営業部|経理部|総務部|人事部|購買部)|担当.*|窓口.*|[^\s]{1,6}(?:様|さん|氏)))[\s.!?！？]*$/iu;
const BRACKETED = /[([{（［｛【「『〔《<＜]([^)\]}）］｝】」』〕》>＞]*)[)\]}）］｝】」』〕》>＞]/gu;
const PARTED =
  /\s+[-–—|/／｜]+\s+|\s*※\s*|[\s　]+(?=担当|窓口|tel\b|attn\b)|\s*[|｜;；]\s*|[、,，](?!\s*(?:co|ltd|inc|llc|corp|limited|incorporated|corporation|pte|pvt|k\.?\s?k|llp|plc|jsc|sdn|bhd|tbk|pt)\b)|(?<=[^\s(（])株式会社(?=[^\s)）])|(?<=[^\s(（])有限会社(?=[^\s)）])/giu;

/** Takes a written name apart. */
export function readWritten(text: string): WrittenName {
  const asides: string[] = [];
  const open = text.replace(ADDRESS, "").replace(BRACKETED, (found, inner: string) => {
    if (isForm(inner)) return found;
    asides.push(inner);
    return " ";
  });
  const [main = "", ...others] = open
    .split(PARTED)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !isForm(part));
  const rest = dropBranch(main);
  const told = [...asides, ...others].map((aside) => dropBranch(aside).trim());
  const kept = told.filter((aside) => aside !== "" && !isRemark(aside) && foldName(aside) !== "");
  if (rest.trim() === "") return { main: kept[0] ?? text, asides: kept.slice(1) };
  return { main: rest.trim(), asides: kept };
}

function dropBranch(text: string): string {
  const rest = text.replace(BRANCH, "");
  return rest === text ? text : dropBranch(rest);
}

const isRemark = (part: string): boolean => FORMER.test(part) || REMARK.test(part);

const FORM =
  /^\s*(?:株|有|同|資|名|社|財|医|学|福|カ|ｶ|ユ|ド|co|ltd|inc|llc|corp|pte|pvt|m|tbk|persero|limited|มหาชน)[.\s]*(?:ltd|limited)?\.?\s*$/iu;

/** Whether a part is a legal form alone. */
const isForm = (part: string): boolean => FORM.test(part.normalize("NFKC"));

/** Whether a name has a legal form. */
export const hasForm = (name: string): boolean => foldWhole(name) !== foldName(name);
