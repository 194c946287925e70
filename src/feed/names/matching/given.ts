import { foldCode, foldName, foldWhole } from "../folding";
import { type Hints, readHints } from "./hints";
import type { NameTable } from "./name-table";
import type { Words } from "./word";
import { hasForm, readWritten } from "./written";

/** A written name as it is compared. */
export interface Given {
  /** The folded name without what stands beside it; and the whole text. */
  main: Spoken;
  /** The whole text, where something stands beside the name. */
  whole: Spoken | null;
  /** What stands beside the name and may tell its company from others. */
  asides: readonly Words[];
  /** Folded with its legal form; null without one. */
  withForm: string | null;
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
  const { main, asides } = readWritten(name);
  const speak = (text: string): Spoken => {
    const folded = foldName(text);
    return { folded, words: table.reader.read(folded) };
  };
  return {
    main: speak(main),
    whole: asides.length === 0 ? null : speak([main, ...asides].join(" ")),
    asides: asides.map((aside) => speak(aside).words),
    withForm: hasForm(main) ? foldWhole(main) : null,
    code: CODE.test(name.trim()) ? foldCode(name) : "",
    oddKanji: [...main].filter((letter) => HAN.test(letter) && foldWhole(letter) !== letter),
    hints: readHints(hints, asides, table),
  };
}

/** A registration number or ticker: digits in it, or up to six capitals. */
const CODE = /^(?:[\p{ASCII}]*\d[\p{ASCII}]*|[A-Z]{1,6})$/u;
const HAN = /\p{sc=Han}/u;
