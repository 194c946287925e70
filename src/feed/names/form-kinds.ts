import { foldWhole } from "./folding";

/** A kind of company that the law of some countries knows. */
interface FormKind {
  /** ISO 3166 alpha-3 codes. */
  countries: readonly string[];
  /** Whether "Co., Ltd.", "Inc." and "Corporation" are written for it too. */
  isGeneral: boolean;
}

/**
 * A kind a line: its countries, "general" where English words stand for it, its forms before a name, its forms behind one.
 * After the code list of entity legal forms of ISO 20275 (gleif.org), with what people write in place of them.
 */
const KINDS = `
JPN / general / 株式会社 / 株式会社, 株式會社, k k, kabushiki kaisha, kabushiki gaisha, kabushikikaisha, kabushikigaisha
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
VNM / general / cong ty tnhh, cty tnhh, cong ty tnhh mtv / l l c
PHL / general / / o p c
USA / other / / l l c, l l l p, l p, p l l c
USA, GBR, JPN, SGP, IND, MYS, KAZ / other / / l l p
KAZ, MNG, UZB, KGZ / general / / j s c, joint stock company
KAZ, MNG, UZB, KGZ, ARE, SAU, QAT, OMN / other / / l l c
GBR, IRL, LKA, BGD, KHM, PAK, IND / general / / p l c, public limited company
DEU, AUT, CHE / other / / gmbh, g m b h, mbh, gmbh co kg, gmbh and co kg, gesellschaft mit beschrankter haftung
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

/** English forms that many kinds of company use. */
const GENERAL = / (?:co|company|ltd|limited|inc|incorporated|corp|corpn|corporation)$/;

/** A form as it is folded, with the kinds that may be meant. */
interface FormText {
  text: string;
  kinds: FormKind[];
}

interface Forms {
  before: readonly FormText[];
  behind: readonly FormText[];
}

const LETTERS = /(?<![\p{L}\p{N}])\p{L}(?: \p{L}(?![\p{L}\p{N}]))+/gu;

/** Folds a name with its form; "G.m.b.H." is one word as "GmbH" is. */
const foldForms = (name: string): string => foldWhole(name).replace(LETTERS, (letters) => letters.replaceAll(" ", ""));

/** The forms of one end, the longest first. */
function gather(parts: readonly (readonly [FormKind, string])[]): FormText[] {
  const kinds = new Map<string, FormKind[]>();
  for (const [kind, listed] of parts) {
    for (const text of listed.split(",").map(foldForms)) {
      if (text !== "") kinds.set(text, [...(kinds.get(text) ?? []), kind]);
    }
  }
  return [...kinds]
    .map(([text, its]) => ({ text, kinds: its }))
    .sort((one, other) => other.text.length - one.text.length);
}

function openForms(): Forms {
  const lines = KINDS.trim()
    .split("\n")
    .map((line) => line.split("/"));
  const kinds = lines.map(([countries = "", use = ""]) => ({
    countries: countries.trim().split(", "),
    isGeneral: use.trim() === "general",
  }));
  const gatherEnd = (end: number) => gather(lines.map((line, at) => [kinds[at] as FormKind, line[end] ?? ""] as const));
  return { before: gatherEnd(2), behind: gatherEnd(3) };
}

let opened: Forms | null = null;

/** The legal forms at the ends of a name. */
interface WrittenForms {
  /** Those of one kind, or of a few. */
  told: readonly FormText[];
  /** Whether there is one that many kinds use. */
  isGeneral: boolean;
  /** The folded name without them. */
  rest: string;
}

/** Whether a text is a legal form alone, as behind a comma: "K.K.", "Co. Ltd". */
export const isLegalForm = (text: string): boolean => /[^\s.,]/.test(text) && readForms(`name ${text}`).rest === "name";

function readForms(name: string): WrittenForms {
  opened ??= openForms();
  const { before, behind } = opened;
  const told: FormText[] = [];
  let isGeneral = false;
  let rest = foldForms(name);
  for (let last = ""; rest !== last; ) {
    last = rest;
    const first = before.find(({ text }) => begins(rest, text));
    const end = behind.find(({ text }) => ends(rest, text));
    const general = GENERAL.exec(rest);
    if (first !== undefined) rest = rest.slice(first.text.length).trim();
    else if (end !== undefined) rest = rest.slice(0, -end.text.length).trim();
    else if (general !== null) rest = rest.slice(0, general.index);
    isGeneral ||= first === undefined && end === undefined && general !== null;
    told.push(...[first ?? end ?? []].flat());
  }
  return { told, isGeneral, rest };
}

const JOINED = /[^a-z0-9а-я ]/;

/** A form of Japanese, Chinese, Korean or Thai needs no space. */
const begins = (text: string, form: string): boolean =>
  text.startsWith(form) && text.length > form.length && (text[form.length] === " " || JOINED.test(form));

const ends = (text: string, form: string): boolean =>
  text.endsWith(form) && text.length > form.length && (text.at(-form.length - 1) === " " || JOINED.test(form));

/**
 * Whether the legal form of a written name is of another kind of company than the one that has the name. Forms that
 * translate one another agree, as 株式会社 and "Inc." do, and so does a name without any.
 *
 * @param names all of the company
 * @param country its code; empty where it is unknown
 */
export function contradictsForm(written: string, names: readonly string[], country: string): boolean {
  const { told: all, isGeneral } = readForms(written);
  if (all.length === 0 && !isGeneral) return false;
  const own = names.map(readForms);
  const ownAll = own.flatMap((each) => each.told);
  // What both have may be a word of the name: "Oedo Spa".
  const [told, ownTold] = [all.filter((form) => !ownAll.includes(form)), ownAll.filter((form) => !all.includes(form))];
  const hasGeneral = own.some((each) => each.isGeneral);
  const kinds = listKinds(ownTold, country);
  if (told.length === 0) return isGeneral && kinds.length > 0 && !hasGeneral && !kinds.some((kind) => kind.isGeneral);
  const mayBe = (kind: FormKind) =>
    kinds.includes(kind) ||
    (kinds.length === 0 && (country === "" || kind.countries.includes(country)) && (kind.isGeneral || !hasGeneral));
  return !told.every((form) => form.kinds.some(mayBe));
}

/** The kinds of a company by its forms: those of its country, where it has such a form. */
function listKinds(told: readonly FormText[], country: string): FormKind[] {
  const all = told.flatMap((form) => form.kinds);
  const its = all.filter(({ countries }) => countries.includes(country));
  return its.length > 0 ? its : all;
}
