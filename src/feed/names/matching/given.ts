import { foldCode, foldPlain } from "../folded-letters";
import { foldName, foldWhole } from "../folding";
import { readForm } from "./forms";
import { type Hints, readHints } from "./hints";
import type { NameTable } from "./name-table";
import type { Words } from "./word";
import { listBeside, readWritten } from "./written";

/** A written name as it is compared. */
export interface Given {
  /** The folded name without what stands beside it; and the whole text. */
  main: Spoken;
  /** The whole text, where something stands beside the name. */
  whole: Spoken | null;
  /** What stands beside the name and may tell its company from others. */
  asides: readonly Spoken[];
  /** What of it stands in brackets or behind a dash, comma or slash: no part of a name, unless a company writes itself so. */
  parted: readonly string[];
  /** Whether the name without what stands beside it lacks its last word too, which may be its own. */
  isCut: boolean;
  /** The name with its legal form, without what stands beside it. */
  name: string;
  /** The whole text as written, but for width, case and white space. */
  plain: string;
  /** The legal form as `readForm` gives it. */
  form: string;
  /** The name as a ticker or registration number; empty where it cannot be one. */
  code: string;
  /** Kanji in a form that is not the usual one. */
  oddKanji: readonly string[];
  hints: Hints;
}

export interface Spoken {
  folded: string;
  words: Words;
}

/** Reads a name of a list with its hints. */
export function readGiven(name: string, hints: readonly string[], table: NameTable): Given {
  const { text, code } = partCode(name, table);
  const { main, asides, ending } = readWritten(text);
  const speak = (spoken: string): Spoken => {
    const folded = foldName(spoken);
    return { folded, words: table.reader.read(folded) };
  };
  const beside = [ending, ...asides, code].filter((aside) => aside !== "");
  return {
    main: speak(main),
    whole: beside.length === 0 ? null : speak([foldName(main), ...beside].join(" ")),
    asides: beside.map(speak),
    parted: listBeside(text),
    isCut: ending !== "",
    name: main,
    plain: foldPlain(name),
    form: readForm(main),
    code: CODE.test(name.trim()) ? foldCode(name) : "",
    oddKanji: [...main].filter((letter) => HAN.test(letter) && foldWhole(letter) !== letter),
    hints: readHints(hints, beside, table),
  };
}

/** Parts a ticker of the index from a name's begin or end. */
function partCode(name: string, table: NameTable): { text: string; code: string } {
  for (const pattern of [CODE_BEFORE, CODE_BEHIND]) {
    const [, code = ""] = pattern.exec(name) ?? [];
    const text = name.replace(pattern, "");
    const isTold = /\d/.test(code) || NOT_CAPITAL.test(text);
    if (code !== "" && isTold && table.codes.find(foldCode(code)).length > 0) return { text, code };
  }
  return { text: name, code: "" };
}

const CODE_BEFORE = /^\s*(\d{4}|\d{3}[A-Z]|[A-Z]{3,6})[\s:：　]+(?=\S)/u;
const CODE_BEHIND = /(?<=\S)[\s　]+(?:(?:証券|銘柄)?コード[:：\s]*)?(\d{4}|\d{3}[A-Z]|[A-Z]{3,6})\s*$/u;
/** Among capitals alone a ticker is a word like any other. */
const NOT_CAPITAL = /[^\p{Lu}\P{L}]/u;

/** A registration number or ticker: digits in it, or up to six capitals. */
const CODE = /^(?:[\p{ASCII}]*\d[\p{ASCII}]*|[A-Z]{1,6})$/u;
const HAN = /\p{sc=Han}/u;
