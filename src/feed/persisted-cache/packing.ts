/**
 * Rows with the names of their fields written once: in a ranking by page type the names are two thirds of the text.
 * Each object is a list of its shape's number and its values, each list begins with {@link LIST}, all else is itself.
 */
interface PackedRows {
  /** The names of each shape. */
  shapes: readonly (readonly string[])[];
  rows: readonly unknown[];
}

/** In place of a shape's number. */
const LIST = -1;

/** Packs rows of JSON one by one. */
export function createRowPacker() {
  const shapes: string[][] = [];
  const first: ShapeNode = { next: new Map(), shape: null };
  const findShape = (names: string[]) => {
    let node = first;
    for (const name of names) {
      const next = node.next.get(name) ?? { next: new Map(), shape: null };
      node.next.set(name, next);
      node = next;
    }
    node.shape ??= shapes.push(names) - 1;
    return node.shape;
  };
  const pack = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return [LIST, ...value.map(pack)];
    const names: string[] = [];
    const parts: unknown[] = [];
    for (const name of Object.keys(value)) {
      const field = (value as Record<string, unknown>)[name];
      if (field === undefined) continue;
      names.push(name);
      parts.push(pack(field));
    }
    return [findShape(names), ...parts];
  };
  const rows: string[] = [];
  return {
    /** Adds a row; gives its length in the text. */
    add(row: unknown): number {
      const text = JSON.stringify(pack(row));
      rows.push(text);
      return text.length;
    },
    /** Gives the text of all rows. */
    finish: (): string => `{"shapes":${JSON.stringify(shapes)},"rows":[${rows.join(",")}]}`,
  };
}

/** Names lead to the shape that they make. */
interface ShapeNode {
  next: Map<string, ShapeNode>;
  shape: number | null;
}

/** Gives the rows. @throws SyntaxError where they are damaged */
export function unpackRows(text: string): unknown[] {
  const { shapes, rows } = Object(JSON.parse(text)) as PackedRows;
  if (!Array.isArray(shapes) || !Array.isArray(rows)) throw new SyntaxError("they are no packed rows");
  const unpack = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const shape = value[0];
    if (shape === LIST) return value.slice(1).map(unpack);
    const names: readonly string[] | undefined = shapes[shape];
    if (names?.length !== value.length - 1) throw new SyntaxError("a row has another shape");
    const object = {};
    for (const [at, name] of names.entries()) setOwn(object, name, unpack(value[at + 1]));
    return object;
  };
  return rows.map(unpack);
}

/** Sets a field of any name, as JSON.parse does. */
function setOwn(object: object, name: string, value: unknown): void {
  if (name !== "__proto__") (object as Record<string, unknown>)[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

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
