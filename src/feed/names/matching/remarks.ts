/** Departments that no company is named after, and others. */
const OFFICE =
  "accounts\\s+(?:payable|receivable)|accounting|treasury|purchasing|procurement|hr|ir|(?:investor|public)\\s+relations|human\\s+resources";
const DEPARTMENT = `(?:${OFFICE}|accounts|sales|finance|legal|marketing|it)`;
const UNIT = "(?:dept|department|division|div|team)\\.?";
const HEAD_OFFICE = "(?:head\\s*(?:office|quarters?)|headquarters|hq|h\\.o\\.?)";
const BUREAU = "(?:[支本]社|支店|営業所|事業所|工場|[^\\s倶]{2,}部|[^\\s]{2,}[課室係])";

/** A part of a company, with the place that it is in. */
const BRANCH = new RegExp(
  `(?:[\\s　]+|(?<=会社))[^\\s　]{0,8}${BUREAU}\\s*$|[\\s,–—-]+(?:(?<=[,–—-]\\s*)[a-z]+\\s+)?(?:${HEAD_OFFICE}|branch(?:\\s+office)?|(?<!family\\s)office|${DEPARTMENT}\\s+${UNIT})\\s*$`,
  "iu",
);
/** Other companies that are meant too. */
const OTHERS =
  /\s+(?:(?:and|&)\s+(?:its\s+)?(?:subsidiaries|affiliates|others)|group of companies|et al\.?)\s*$|(?<=\S)[\s　]*(?:ほか|他\d*社?|等)\s*$/iu;

const FORMER = /^\s*(?:旧社名|旧|前|formerly|former|f\/?k\/?a|ex|previously|old)[\s:：.-]*/iu;

const QUALITY =
  "new|old|existing|former|key|vip|active|inactive|current|potential|listed|tse|tyo|sgx|idx|set|pse|hnx|hose|unlisted|private|public|confirmed|unconfirmed|dormant|dup(?:licate|e)?s?";
const ROLE = "clients?|customers?|accounts?|prospects?|leads?|vendors?|suppliers?|partners?|targets?|group";
const ASK = "(?:mr|mrs|ms|dr|per|via|cc|tel|fax|email|re|c\\/o|as of|see|cf|ask|note|attn|contact|nda)\\b.*";
const KINDS_JAPANESE =
  "(?:新規|既存|重要|旧|大口|主要)?(?:取引先|顧客|得意先|仕入先|見込み?客|お客様|客先|要確認|休眠|重複|上場|非上場|未上場|新規|既存|重要|連結|単体|ほか|他|等|東証.*|グループ|仮称?|(?:普通|優先|種類)株式?)";
const NOTES_JAPANESE =
  "要.{1,6}|未(?:確認|定|処理|契約|上場)|.{2,}(?:済み?|中|予定|待ち)|(?:担当|窓口).*|[^\\s]{1,6}(?:様|さん|氏)";

/** What a list's keeper notes of a company, which tells nothing of its name. */
const REMARK = new RegExp(
  `^\\s*(?:(?:${QUALITY}|\\s)*(?:${ROLE}|${QUALITY}|tbc|tbd|do not (?:call|contact|use)|${OFFICE}|${DEPARTMENT}\\s+${UNIT}|${HEAD_OFFICE}|${ASK})|${KINDS_JAPANESE}|${NOTES_JAPANESE}|[^\\s]{0,8}${BUREAU})[\\s.!?！？]*$`,
  "iu",
);

/** A word that is no name, since names begin with a capital; an address or code of the company is no remark. */
const NOTED = /(?<![\p{L}'.])(?!(?:of|the|and|de|for|co|ltd|inc)\b)[a-z]{3,}/u;
const ADDRESS = /\S[.@]\S/;
/** "Tier 1", "Series B", "#2". */
const COUNTED = /^(?:\p{L}+ |# ?|[Nn]o\.? ?)(?:\p{Lu}|\d{1,2})$/u;

/**
 * Whether a part of a written name tells nothing of the company.
 *
 * @param isCapitalised whether the name itself has capitals, so that a part without them is a note
 */
export const isRemark = (part: string, isCapitalised: boolean): boolean =>
  FORMER.test(part) ||
  REMARK.test(part) ||
  COUNTED.test(part) ||
  (isCapitalised && NOTED.test(part) && !ADDRESS.test(part));

/** Takes departments, offices and other companies off a name's end. */
export function dropBranch(text: string): string {
  const rest = text.replace(BRANCH, "").replace(OTHERS, "");
  return rest === text ? text : dropBranch(rest);
}
