/** Texts in double quotes and sheets in single ones, in which a quote stands twice. */
const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'/g;

/** A call, not a sheet or name that only begins so; the second form is how a file keeps it, and what shows where the add-in is missing. */
const CALL = /(?<![\p{L}\p{N}_.])(?:FEED\.[A-Z][A-Z.]*|_xldudf_FEED_\w+)\(/iu;

const KEPT_NAME = /(?<![\p{L}\p{N}_.])_xldudf_FEED_(\w+)(?=\()/giu;

/** Whether a formula calls a FEED function, anywhere in it. */
export function isFeedFormula(formula: string): boolean {
  return CALL.test(formula.replace(QUOTED, '""'));
}

/**
 * Reads a cell's formula as the person sees it; null where there is none. The host gives a text that begins with "="
 * in the place of a formula too, but that one is also the cell's value.
 */
export function readFormula(formula: unknown, value: unknown): string | null {
  if (typeof formula !== "string" || !formula.startsWith("=") || formula === value) return null;
  return formula.replace(KEPT_NAME, (_, name: string) => `FEED.${name.replaceAll("_", ".")}`);
}

/** Whether what a cell shows is an error, or the word for a value that is still to come. */
export function isErrorCode(value: unknown): boolean {
  return typeof value === "string" && /^#(?:N\/A|GETTING_DATA|[A-Z0-9/]+[!?])$/.test(value);
}
