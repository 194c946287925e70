/** The formulas of the add-in as an .xlsx stores them: Excel writes FEED.RANKING.PAGES as _xldudf_FEED_RANKING_PAGES. */
export type FunctionNames = ReturnType<typeof createFunctionNames>;

/** Texts, and sheet names in quotes; what stands in them is no call. */
const QUOTED = /("(?:[^"]|"")*"|'(?:[^']|'')*')/;
/** What Excel writes before newer functions and before names of LAMBDA and LET. */
const NEWER = /(?<![\p{L}\p{N}_.])(?:_xlfn\.|_xlws\.|_xlpm\.)+/giu;

/**
 * @param namespace such as "FEED"
 * @param names of the functions, such as "RANKING.PAGES"
 */
export function createFunctionNames(namespace: string, names: readonly string[]) {
  const byStored = new Map(names.map((name) => [toStored(name), name]));
  const written = new RegExp(`(?<![\\p{L}\\p{N}_.])${namespace}\\.([A-Z][A-Z0-9.]*)(?=\\s*\\()`, "giu");
  // After other add-ins have come and gone, Excel writes a reference to a file before the name.
  const stored = new RegExp(`(?:\\[\\d+\\]!)?_xldudf_${namespace}_([A-Z0-9_.]+)(?=\\s*\\()`, "giu");
  return {
    /** Rewrites the calls of a formula for a file. */
    toFile: (formula: string) =>
      mapCode(formula, (code) => code.replace(written, (_, name: string) => `_xldudf_${namespace}_${toStored(name)}`)),
    /** Rewrites a file's formula as a person writes it. */
    fromFile: (formula: string) =>
      mapCode(formula, (code) =>
        code
          .replace(stored, (_, name: string) => {
            return `${namespace}.${byStored.get(toStored(name)) ?? name.replaceAll("_", ".")}`;
          })
          .replace(NEWER, ""),
      ),
  };
}

const toStored = (name: string) => name.toUpperCase().replaceAll(".", "_");

/** Changes what stands outside quotes. */
function mapCode(formula: string, change: (code: string) => string): string {
  return formula
    .split(QUOTED)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}
