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

/**
 * Kinds of company that the law of some countries knows, a line each: its countries as ISO 3166 alpha-3 codes, "general"
 * where English words stand for it too, its forms before a name, its forms behind one. After the code list of entity legal
 * forms of ISO 20275 (gleif.org), with what people write in place of them. Names are compared without these.
 */
const FOLDED_KINDS = `
JPN / general / 株式会社, kabushiki kaisha, kabushiki gaisha / 株式会社, 株式會社, k k, kabushiki kaisha, kabushiki gaisha, kabushikikaisha, kabushikigaisha
JPN / other / 有限会社, 特例有限会社 / 有限会社, 特例有限会社, y k, yugen kaisha, yugen gaisha, yugengaisha
JPN / other / 合同会社 / 合同会社, g k, godo kaisha, godo gaisha, godokaisha, l l c
JPN / other / 合資会社, 合名会社 / 合資会社, 合名会社, goshi kaisha, gomei kaisha
JPN / general / 相互会社 / 相互会社
JPN / other / 社団法人, 一般社団法人, 公益社団法人 / 社団法人, 一般社団法人, 公益社団法人
JPN / other / 財団法人, 一般財団法人, 公益財団法人 / 財団法人, 一般財団法人, 公益財団法人
JPN / other / 医療法人, 医療法人社団, 医療法人財団, 学校法人, 社会福祉法人, 宗教法人, 特定非営利活動法人, npo法人, 独立行政法人 /
KOR / general / 주식회사 / 주식회사
KOR / general / 유한회사 / 유한회사, l l c
CHN, TWN, HKG, SGP / general / / 股份有限公司, 有限公司, 有限责任公司, 有限責任公司
SGP / general / / pte, pte ltd, pte limited, private limited
IND, PAK, BGD, LKA, NPL, MDV, BTN / general / / pvt, pvt ltd, pvt limited, private limited
AUS, NZL / general / / pty, pty ltd, pty limited
MYS, BRN / general / / sdn, sdn bhd, sendirian berhad
MYS, BRN / general / / bhd, berhad
IDN / general / p t, perseroan terbatas / p t, tbk, p t tbk, persero, persero tbk
IDN / other / c v / c v
THA / general / บริษัท, บจก / จำกัด
THA / general / บมจ / จำกัด มหาชน, p c l, p l c, public company limited, public co ltd
THA / other / ห้างหุ้นส่วน, ห้างหุ้นส่วนจำกัด, หจก / limited partnership
VNM / general / cong ty co phan, cong ty cp, cty cp, ctcp / j s c, joint stock company, joint stock co
VNM / general / cong ty tnhh, cty tnhh, cong ty tnhh mtv, cong ty tnhh mot thanh vien, cong ty tnhh hai thanh vien / tnhh, l l c
PHL / general / / o p c
USA, GBR, JPN, SGP, IND, MYS, KAZ / other / / l l p
KAZ, MNG, UZB, KGZ / general / / j s c, joint stock company
KAZ, MNG, UZB, KGZ, ARE, SAU, QAT, OMN / other / / l l c
GBR, IRL, LKA, BGD, KHM, PAK, IND / general / / p l c, public limited company
DEU, AUT, CHE / other / / gmbh, g m b h, mbh, gmbh co kg, gmbh and co kg, gesellschaft mit beschrankter haftung
`;

/** Further kinds, whose forms are short enough to be words of a name; they tell companies apart all the same. */
const OTHER_KINDS = `
USA / other / / l l c, l l l p, l p, p l l c
DEU, AUT, CHE / other / / a g, aktiengesellschaft, kgaa, k g, o h g, u g
FRA, BEL, LUX, CHE, ESP, PRT, POL, BRA, MEX, ARG / other / / s a, societe anonyme, sociedad anonima
FRA, LUX, BEL / other / / s a s, s a s u, sarl, s a r l, eurl
ITA / other / / s r l, s p a
ESP, MEX / other / / s l, s l u, s a de c v
NLD, BEL / other / / b v, n v
SWE / other / / a b
FIN / other / / o y, o y j
DNK, NOR, CZE / other / / a s, aps, a s a
PRT, BRA, COL / other / / lda, ltda
POL / other / / sp z o o, sp zoo
CZE, SVK / other / / s r o
HUN / other / / kft, zrt, nyrt
RUS, UKR / other / ооо, пао, зао / o o o, p a o
DEU, FRA, NLD, FIN, AUT / other / / s e
`;

const toLines = (kinds: string): string[] => kinds.trim().split("\n");

export const listKindLines = (): string[] => [...toLines(FOLDED_KINDS), ...toLines(OTHER_KINDS)];

/** English forms that many kinds of company use. */
const GENERAL_FORMS = ["co", "company", "ltd", "limited", "inc", "incorporated", "corp", "corpn", "corporation"];

/** Forms in kana, those of companies that people seldom name, and "company" of Viet Nam, which tells no kind. */
const OTHER_FORMS = [
  "かぶしきがいしや",
  "ゆうげんがいしや",
  "ごうどうがいしや",
  "特定目的会社",
  "国立大学法人",
  "cong ty",
];

/** Letters that need a space between a name and its form. */
const SPACED = /^[a-z ]+$/;

/** A pattern of forms; "k k" is "kk" too. */
const oneOf = (forms: readonly string[]): string =>
  `(?:${forms.map((form) => form.replace(/(?<=\b[a-z]) (?=[a-z]\b)/g, " ?")).join("|")})`;

function listFolded(end: 2 | 3): { spaced: string[]; joined: string[] } {
  const forms = toLines(FOLDED_KINDS)
    .flatMap((line) => (line.split("/")[end] ?? "").split(","))
    .map((form) => form.normalize("NFKC").trim())
    .filter((form) => form !== "")
    .sort((one, other) => other.length - one.length);
  const all = [...forms, ...OTHER_FORMS];
  return { spaced: all.filter((form) => SPACED.test(form)), joined: all.filter((form) => !SPACED.test(form)) };
}

const [FIRST, LAST] = [listFolded(2), listFolded(3)];

/** The words of the forms that names are compared without, in Latin and Thai letters; "kk" for "k k". */
export const listFormWords = (): string[] =>
  [...FIRST.spaced, ...LAST.spaced, ...GENERAL_FORMS, ...FIRST.joined, ...LAST.joined]
    .filter((form) => /^[a-z\p{sc=Thai}]/u.test(form))
    .flatMap((form) => form.replace(/(?<=\b[a-z]) (?=[a-z]\b)/g, "").split(" "));

/** Patterns of companies' legal forms in folded text. */
export const LEGAL_FORMS = {
  abbreviations: ABBREVIATIONS,
  bracketed: /\((\p{L}{1,2})\)|^([かゆど])\)|\(([かゆど])$/gu,
  general: GENERAL_FORMS,
  first: new RegExp(`^ (?:${oneOf(FIRST.joined)}|${oneOf(FIRST.spaced)} )`, "u"),
  last: new RegExp(
    `(?:${oneOf(LAST.joined)}|(?: |(?<=[\\p{sc=Han}ぁ-ゖー]))${oneOf([...LAST.spaced, ...GENERAL_FORMS])}) $`,
    "u",
  ),
};
