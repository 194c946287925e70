/** Abbreviations that are forms only in brackets: "(株)", and "カ)" as banks write it; kana as they are folded. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  株: "株式会社",
  有: "有限会社",
  同: "合同会社",
  資: "合資会社",
  名: "合名会社",
  社: "社団法人",
  財: "財団法人",
  一社: "一般社団法人",
  一財: "一般財団法人",
  公社: "公益社団法人",
  公財: "公益財団法人",
  医: "医療法人",
  学: "学校法人",
  福: "社会福祉法人",
  か: "株式会社",
  ゆ: "有限会社",
  ど: "合同会社",
  주: "주식회사",
  유: "유한회사",
};

/** Forms that need no space between them and the name. */
const JOINED = [
  "株式会社",
  "特例有限会社",
  "有限会社",
  "合同会社",
  "合資会社",
  "合名会社",
  "相互会社",
  "特定目的会社",
  "(?:一般|公益)?(?:社団|財団)法人",
  "医療法人(?:社団|財団)?",
  "社会福祉法人",
  "学校法人",
  "宗教法人",
  "特定非営利活動法人",
  "npo法人",
  "独立行政法人",
  "国立大学法人",
  "かぶしきがいしや",
  "ゆうげんがいしや",
  "ごうどうがいしや",
  "股份有限公司",
  "有限(?:责任|責任)?公司",
  "주식회사",
  "유한회사",
  "บริษัท",
  "จำกัด(?: มหาชน)?",
  "ห้างหุ้นส่วน(?:จำกัด)?",
].map((form) => form.normalize("NFKC"));

/** Words of their own before the name. */
const FIRST_WORDS = [
  "p ?t",
  "c ?v",
  "บมจ",
  "บจก",
  "หจก",
  "cong ty(?: co phan| cp| tnhh(?: mot thanh vien| hai thanh vien| mtv)?)?",
  "kabushiki [kg]aisha",
];

/** Words of their own behind the name. */
const LAST_WORDS = [
  "co",
  "company",
  "ltd",
  "limited",
  "inc",
  "incorporated",
  "corp",
  "corporation",
  "k ?k",
  "g ?k",
  "y ?k",
  "(?:kabushiki|yugen|godo) ?[kg]aisha",
  "l ?l ?c",
  "l ?l ?p",
  "p ?l ?c",
  "p ?c ?l",
  "p(?:te|vt|ty)",
  "private limited",
  "public company limited",
  "sdn",
  "bhd",
  "berhad",
  "j ?s ?c",
  "joint stock company",
  "pt",
  "tbk",
  "persero",
  "gmbh",
];

const oneOf = (forms: readonly string[]) => `(?:${forms.join("|")})`;

/** Patterns of companies' legal forms in folded text. */
export const LEGAL_FORMS = {
  abbreviations: ABBREVIATIONS,
  bracketed: /\((\p{L}{1,2})\)|^([かゆど])\)|\(([かゆど])$/gu,
  first: new RegExp(`^ (?:${oneOf(JOINED)}|${oneOf(FIRST_WORDS)} )`, "u"),
  last: new RegExp(`(?:${oneOf(JOINED)}|(?: |(?<=[\\p{sc=Han}ぁ-ゖー]))${oneOf(LAST_WORDS)}) $`, "u"),
};
