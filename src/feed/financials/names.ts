/** Names are few and compared for every cell, so what one folds to is kept; users' own texts cannot fill it for ever. */
const folded = new Map<string, string>();
const MOST_FOLDED = 5_000;

/** Text as names are compared: without letter case, width, spaces and underscores. */
export function toName(text: string): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  const name = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_]+/g, "");
  if (folded.size < MOST_FOLDED) folded.set(text, name);
  return name;
}

/** Whether a metric is meant by a name that {@link toName} gave, alone or behind its statement. */
export const isMeant = (name: string, statementType: string, wanted: string): boolean =>
  toName(name) === wanted || (wanted.includes(".") && toName(`${statementType}.${name}`) === wanted);

/** Texts as a sentence lists them, each once. */
export const listTexts = (texts: readonly string[]): string => [...new Set(texts)].join(", ");
