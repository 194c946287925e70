/** Folded names, since every cell compares them; limited, because users' own texts come here too. */
const folded = new Map<string, string>();
const MOST_FOLDED = 5_000;

/** Folds a name for comparison: without letter case, width, spaces and underscores. */
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

/** Whether a name folded by {@link toName} means a metric, alone or behind its statement. */
export const isMeant = (name: string, statementType: string, wanted: string): boolean =>
  toName(name) === wanted || (wanted.includes(".") && toName(`${statementType}.${name}`) === wanted);

/** Joins texts for a sentence, each once. */
export const listTexts = (texts: readonly string[]): string => [...new Set(texts)].join(", ");
