const LONGEST_NAME = 31;

/** What a sheet's name may not hold, wherever it stands. */
const FORBIDDEN = /[\\/?*[\]:\p{Cc}]/gu;

/** Excel keeps these for itself. */
const RESERVED = ["history", "履歴"];

/** Makes a name that Excel takes, with a number behind it where a sheet has it already, in whatever case. */
export function toSheetName(wanted: string, taken: readonly string[]): string {
  const known = new Set([...taken.map(fold), ...RESERVED]);
  const base = toAllowed(wanted) || "FEED";
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const name = `${cut(base, LONGEST_NAME - suffix.length)}${suffix}`;
    if (!known.has(fold(name))) return name;
  }
}

const toAllowed = (name: string) => cut(name.replaceAll(FORBIDDEN, " ").replace(/^[\s']+/, ""), LONGEST_NAME);

const fold = (name: string) => name.toLowerCase();

/** Cuts at a length in UTF-16 units, but no character in two, and leaves no apostrophe at the end, which Excel refuses. */
function cut(name: string, length: number): string {
  return name
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/u, "")
    .replace(/[\s']+$/, "");
}
