/** Texts, names of sheets, and a table's columns: they stay as they are. */
const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\[(?:[^[\]']|'.)*\]/gu;
const ARRAY = /\{(?:"(?:[^"]|"")*"|[^}"])*\}/gu;
/** The digits of a number up to its decimal point. */
const POINT = /(?<![\p{L}\p{N}_.$])\d*\.(?=\d|(?<=\d\.)(?![\p{L}\p{N}_.]))/u;
const PARTS = new RegExp(`${QUOTED.source}|${ARRAY.source}|${POINT.source}|,`, "gu");

/**
 * Writes a formula, in English with commas, by the separators of a person's Excel; names of functions stay English.
 *
 * @param separators three letters: between arguments, before decimals, between an array's columns; others change nothing
 */
export function separate(formula: string, separators: string): string {
  const [list, decimal, column, more] = separators;
  if (!list || !decimal || !column || more !== undefined) return formula;
  return formula.replace(PARTS, (part) => {
    if (part === ",") return list;
    if (part.startsWith("{")) return `{${separate(part.slice(1, -1), column + decimal + column)}}`;
    return /^\d*\.$/.test(part) ? part.replace(".", decimal) : part;
  });
}

/**
 * Learns the separators, as three letters, from a formula in English and as the person's Excel shows it; null where no
 * arguments are parted.
 *
 * @param decimal the decimal separator of that Excel
 */
export function learnSeparators(english: string, local: string, decimal: string): string | null {
  if (!english.startsWith("=")) return null; // a text in a cell may have commas too
  const [written, shown] = [english.replace(QUOTED, ""), local.replace(QUOTED, "")];
  const list = findSeparator(written.replace(ARRAY, ""), shown.replace(ARRAY, ""), decimal);
  const column = findSeparator(listArrays(written), listArrays(shown), decimal);
  return list && list + decimal + (column ?? (decimal === "," ? "\\" : ","));
}

const listArrays = (formula: string) => (formula.match(ARRAY) ?? []).join("");

/** Finds the letter that stands in the place of the commas. */
function findSeparator(written: string, shown: string, decimal: string): string | null {
  const count = (text: string, letter: string) => text.split(letter).length - 1;
  const commas = count(written, ",");
  const isIt = (letter: string) =>
    letter !== decimal && count(shown, letter) - (letter === "," ? 0 : count(written, letter)) === commas;
  return commas === 0 ? null : ([",", ...shown.replace(/[\p{L}\p{N}\s]/gu, "")].find(isIt) ?? null);
}
