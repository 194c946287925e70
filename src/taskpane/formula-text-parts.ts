/** What stands between these belongs together, whatever brackets and commas are in it. */
const QUOTES = ['"', "'"];
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** What a walk through a formula meets outside of quotes. */
interface Met {
  letter: string;
  at: number;
  /** How many brackets are open around it. */
  depth: number;
}

/**
 * Walks through a formula's text outside of quoted texts and sheet names.
 *
 * @returns null where a bracket or a quote is not closed, or closed twice
 */
function walk(text: string): Met[] | null {
  const open: string[] = [];
  const met: Met[] = [];
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
    else met.push({ letter, at, depth: open.length });
  }
  return open.length === 0 ? met : null;
}

/** Whether every bracket and quote that opens in a text closes in it. */
export const closesAll = (text: string): boolean => walk(text) !== null;

/** Splits what stands between a formula's brackets at the commas that part its arguments. */
export function splitArguments(text: string): string[] {
  const commas = (walk(text) ?? []).filter(({ letter, depth }) => letter === "," && depth === 0);
  const ends = [...commas.map(({ at }) => at), text.length];
  return ends.map((end, index) => text.slice(index === 0 ? 0 : (ends[index - 1] as number) + 1, end));
}
