import { foldCode } from "../../feed/names/folding";

/** A part of a name, and whether it is what was looked for. */
interface Part {
  text: string;
  isMatch: boolean;
}

/**
 * Parts a name by what was looked for, letter by letter as the search compares them: "高島" is found in "髙島". What
 * fits by other ways (a legal form, a long vowel) is not marked.
 */
export function toParts(name: string, query: string): Part[] {
  const letters = [...name];
  const marked = new Set<number>();
  const folded = letters.flatMap((letter, place) => [...foldLetter(letter)].map((each) => ({ each, place })));
  const text = folded.map(({ each }) => each).join("");
  for (const word of query.split(/\s+/).map(toFolded)) {
    const at = word === "" ? -1 : text.indexOf(word);
    const [first, last] = [folded[at], folded[at + word.length - 1]];
    if (first !== undefined && last !== undefined) for (let i = first.place; i <= last.place; i++) marked.add(i);
  }
  const parts: Part[] = [];
  letters.forEach((letter, place) => {
    const last = parts.at(-1);
    if (last?.isMatch === marked.has(place)) last.text += letter;
    else parts.push({ text: letter, isMatch: marked.has(place) });
  });
  return parts;
}

const toFolded = (text: string): string => [...text].map(foldLetter).join("");

/** A long vowel mark is nothing without the kana before it, which it follows in both texts. */
const foldLetter = (letter: string): string => (letter === "ー" ? letter : foldCode(letter));
