import { readNamespace } from "../namespace";

/**
 * Reads a cell's formula as the person sees it; null where there is none. The host gives a text that begins with "="
 * in the place of a formula too, but that one is also the cell's value.
 *
 * @param known the namespace, where many formulas are read
 */
export function readShownFormula(formula: unknown, value: unknown, known?: string): string | null {
  if (typeof formula !== "string" || !formula.startsWith("=") || formula === value) return null;
  const namespace = known ?? readNamespace();
  const keptName = new RegExp(`(?<![\\p{L}\\p{N}_.])_xldudf_${namespace}_(\\w+)(?=\\()`, "giu");
  return formula.replace(keptName, (_, name: string) => `${namespace}.${name.replaceAll("_", ".")}`);
}

/** Whether what a cell shows is an error, or the word for a value that is still to come. */
export function isErrorCode(value: unknown): boolean {
  return typeof value === "string" && /^#(?:N\/A|GETTING_DATA|[A-Z0-9/]+[!?])$/.test(value);
}
