import { foldWhole } from "./folding";
import { LEGAL_FORMS, listKindLines } from "./legal-forms";

/** A kind of company, as {@link listKindLines} has it. */
interface FormKind {
  countries: readonly string[];
  /** Whether "Co., Ltd.", "Inc." and "Corporation" are written for it too. */
  isGeneral: boolean;
}

const GENERAL = new RegExp(`(?: |(?<=[^a-z0-9а-я ]))(?:${LEGAL_FORMS.general.join("|")})$`);

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
  const lines = listKindLines().map((line) => line.split("/"));
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

/** Folds a name without any legal form at its ends. */
export const foldBare = (name: string): string => readForms(name).rest;

/** Whether a text is a legal form alone, as behind a comma: "K.K.", "Co. Ltd". */
export const isLegalForm = (text: string): boolean => /[^\s.,]/.test(text) && foldBare(`name ${text}`) === "name";

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

/** Whether a form ends beside this letter: one of Japanese, Chinese, Korean or Thai needs no space, nor one beside them. */
const isEdge = (form: string, letter: string): boolean => letter === " " || JOINED.test(form) || JOINED.test(letter);

const begins = (text: string, form: string): boolean => text.startsWith(form) && isEdge(form, text[form.length] ?? "x");

const ends = (text: string, form: string): boolean =>
  text.endsWith(form) && isEdge(form, text.at(-form.length - 1) ?? "x");

/**
 * Whether the legal form of a written name is of another kind of company than the one that has the name. Forms that
 * translate one another agree, as 株式会社 and "Inc." do, and so does a name without any. "Ltd." for a 有限会社 and "Inc." for a
 * 合同会社 contradict, unless the company writes itself so: most companies of such a name are a 株式会社, so that a person
 * decides. A match is doubtful then, and a formula's error names the company with its own form.
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
