import { closesAll, type Given, readArgument, splitArguments, toArgumentText } from "../formula-text";

/** What plain writing in a field means, where that can be told. */
export type WritingKind = "number" | "flag" | "text";

/**
 * Reads what a person wrote into a field: a value as it is, or behind an equals sign what a formula may hold, such as
 * `=A2:A20`. Nothing written is an argument left out.
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

/** Writes an argument into a field: plainly where that reads as the same, else as a formula holds it. */
export function toWritten(given: Given, kind: WritingKind): string {
  if (given === null) return "";
  const plain = given.kind === "text" ? given.value : toArgumentText(given);
  return isSame(readWritten(plain, kind), given) ? plain : `=${toArgumentText(given)}`;
}

const isSame = (one: Given, other: Given): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether a formula stays in one piece with it: brackets and texts end, and it is one argument. */
export function isSound(given: Given): boolean {
  if (given?.kind !== "expression") return true;
  return closesAll(given.text) && splitArguments(given.text).length === 1;
}
