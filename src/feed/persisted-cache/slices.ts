import { createRowPacker } from "./packing";

/** The text of an answer, where it is long that of its rows in slices. */
export interface Texts {
  text: string;
  /** The rows in their order, packed. */
  slices: readonly string[];
}

/** The rows of a longer list are sliced: JSON of some megabytes takes the page a task that people notice. */
const SLICE_CHARACTERS = 150_000;

/** Makes the text of an answer, a slice a step. */
export function* toTexts(value: unknown): Generator<undefined, Texts, undefined> {
  const slices: string[] = [];
  let [packer, characters] = [createRowPacker(), 0];
  for (const row of listRows(value)) {
    characters += packer.add(row);
    if (characters < SLICE_CHARACTERS) continue;
    slices.push(packer.finish());
    [packer, characters] = [createRowPacker(), 0];
    yield;
  }
  if (slices.length === 0) return { text: JSON.stringify(value), slices };
  if (characters > 0) slices.push(packer.finish());
  return { text: JSON.stringify({ ...(value as object), rows: [] }), slices };
}

/** The rows of a list; none of another answer. */
function listRows(value: unknown): readonly unknown[] {
  const rows = typeof value === "object" && value !== null ? (value as { rows?: unknown }).rows : undefined;
  return Array.isArray(rows) ? rows : [];
}

/** Joins what {@link toTexts} gave; the rows of each slice come unpacked. @throws SyntaxError where the text is damaged */
export function fromTexts(text: string, slices: readonly (readonly unknown[])[]): unknown {
  const value: unknown = JSON.parse(text);
  return slices.length === 0 ? value : { ...(value as object), rows: slices.flat() };
}

export const countCharacters = ({ text, slices }: Texts): number =>
  slices.reduce((sum, { length }) => sum + length, text.length);
