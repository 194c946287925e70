const LONGEST_NAME = 31;

/** Characters that a sheet's name may not contain. */
const FORBIDDEN = /[\\/?*[\]:\p{Cc}]/gu;

/** Names that Excel reserves. */
const RESERVED = ["history", "履歴"];

/** A valid sheet name, with a number where another sheet has the name, letter case aside. */
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

/** Cuts at a length in UTF-16 units, between characters, and without an apostrophe at the end. */
function cut(name: string, length: number): string {
  return name
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/u, "")
    .replace(/[\s']+$/, "");
}
