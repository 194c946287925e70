import { closesAll, type Given, readArgument, splitArguments, toArgumentText } from "../formula-text";

/** How a field reads plain text. */
export type WritingKind = "number" | "flag" | "text";

/**
 * Parses a field's text: a plain value, or after an equals sign an expression such as
 * `=A2:A20`. An empty text is an argument left out.
 */
export function readWritten(written: string, kind: WritingKind): Given {
  const text = written.trim();
  if (text === "") return null;
  if (text.startsWith("=")) return readArgument(text.slice(1));
  const isCanonical = text === String(Number(text));
  if (kind === "number" && isCanonical && Number.isFinite(Number(text))) return readArgument(text);
  if (kind === "flag" && /^(true|false)$/i.test(text)) return readArgument(text);
  return { kind: "text", value: text };
}

/** Writes an argument as a field's text: plain where that reads back the same, else as an expression. */
export function toWritten(given: Given, kind: WritingKind): string {
  if (given === null) return "";
  const plain = given.kind === "text" ? given.value : toArgumentText(given);
  return isSame(readWritten(plain, kind), given) ? plain : `=${toArgumentText(given)}`;
}

const isSame = (one: Given, other: Given): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether an argument keeps a formula intact: brackets and quotes are closed, and it is one argument. */
export function isSound(given: Given): boolean {
  if (given?.kind !== "expression") return true;
  return closesAll(given.text) && splitArguments(given.text).length === 1;
}
