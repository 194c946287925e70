import type { CellElement } from "./cells";
import type { XlsxValue } from "./sheet";
import { encode } from "./xml";

/** A value as a cell stores it: its type, "n" for a number, and its text before that is encoded. */
export interface StoredValue {
  readonly type: "n" | "b" | "e" | "str";
  readonly text: string;
}

/** Errors that a file may hold; Excel itself stores its newer ones as #VALUE!. */
const ERRORS = ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"];
/** Values that were still to come: they are not available. */
const PENDING = ["#BUSY!", "#GETTING_DATA"];
export const LONGEST_TEXT = 32_767;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them.
const NOT_IN_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** A value as a file can hold it; null for none. */
export function toStored(value: XlsxValue): StoredValue | null {
  if (value === null) return null;
  if (typeof value === "boolean") return { type: "b", text: value ? "1" : "0" };
  if (typeof value === "number")
    return Number.isFinite(value) ? { type: "n", text: String(value) } : { type: "e", text: "#NUM!" };
  if (typeof value === "string")
    return value.length > LONGEST_TEXT ? { type: "e", text: "#VALUE!" } : { type: "str", text: clean(value) };
  if (PENDING.includes(value.error)) return { type: "e", text: "#N/A" };
  return { type: "e", text: ERRORS.includes(value.error) ? value.error : "#VALUE!" };
}

/** A text without what XML cannot hold. */
export const clean = (text: string) => text.replace(NOT_IN_XML, "").replace(/\p{Surrogate}/gu, "\ufffd");

/** A value's element. */
export function toElement(prefix: string, { text }: Pick<StoredValue, "text">): string {
  const space = /^[ \t\n\r]|[ \t\n\r]$/.test(text) ? ' xml:space="preserve"' : "";
  return `<${prefix}v${space}>${encode(toStoredText(text))}</${prefix}v>`;
}

/** A text in which what would be read as the code of a character has that of its first one. */
export const toStoredText = (text: string) => text.replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");

/** Whether a cell has a value already. */
export function hasValue({ tag, values }: CellElement, stored: StoredValue | null): boolean {
  const [first, second] = values;
  if (second || tag.get("vm") !== undefined) return false;
  if (stored === null || first === undefined) return stored === null && first === undefined && !tag.get("t");
  if (first.isInline || (tag.get("t") ?? "n") !== stored.type) return false;
  return stored.type === "n"
    ? Number(first.text) === Number(stored.text) && first.text !== ""
    : first.text === stored.text;
}
