/** The longest name of a workbook. */
export const LONGEST_NAME = 80;

/** The wanted name, or the same with the first free number, such as "Model (2)". */
export function pickFreeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  const base = wanted.replace(/ \(\d+\)$/, "");
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? wanted : `${base} (${number})`;
    if (!names.has(candidate.toLowerCase())) return candidate;
  }
}
