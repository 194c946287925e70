/** What stands between these belongs together, whatever brackets and commas are in it. */
const QUOTES = ['"', "'"];
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/**
 * Finds the commas of a formula's text that stand outside of brackets, quoted texts and sheet names.
 *
 * @returns null where a bracket or a quote is not closed, or closed twice
 */
function findCommas(text: string): number[] | null {
  const open: string[] = [];
  const commas: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const isQuote = QUOTES.includes(letter) && open.at(-1) !== "]"; // names of a table's columns may hold quotes
    if (isQuote) at = text.indexOf(letter, at + 1); // a doubled quote ends one text and begins the next
    if (at < 0) return null;
    if (isQuote) continue;
    if (open.at(-1) === "]" && letter === "'")
      at++; // there, it takes the next letter for itself
    else if (open.at(-1) === letter) open.pop();
    else if (letter in CLOSING) open.push(CLOSING[letter] as string);
    else if (")}]".includes(letter)) return null;
    else if (letter === "," && open.length === 0) commas.push(at);
  }
  return open.length === 0 ? commas : null;
}

/** Whether every bracket and quote that opens in a text closes in it. */
export const closesAll = (text: string): boolean => findCommas(text) !== null;

/** Splits what stands between a formula's brackets at the commas that part its arguments. */
export function splitArguments(text: string): string[] {
  const ends = [...(findCommas(text) ?? []), text.length];
  return ends.map((end, index) => text.slice(index === 0 ? 0 : (ends[index - 1] as number) + 1, end));
}
