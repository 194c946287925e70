import type { Line } from "./alignment";
import { type KeptBlock, type KeptRecord, toMark } from "./record";
import type { Template } from "./templates";

/** What stands beside some cells of a row: marks of its texts, and of the numbers to the left too; empty for nothing. */
export interface Beside {
  texts: string;
  all: string;
}

const isText = (value: unknown) => typeof value === "string" && value !== "" && !/^#[A-Z/0-9_]+[!?A]$/.test(value);

/** Marks what stands beside columns of a row. @param before the first of them @param after what follows the last */
export function toBeside(line: readonly unknown[], before: number, after: number): Beside {
  const left = line.slice(0, Math.max(0, before));
  const texts = left.some(isText) ? left.filter(isText) : line.slice(Math.max(0, after)).filter(isText);
  const numbers = left.filter((value) => typeof value === "number");
  return {
    texts: texts.length === 0 ? "" : `t${toMark(texts)}`,
    all: texts.length + numbers.length === 0 ? "" : `v${toMark([texts, numbers])}`,
  };
}

/** Texts tell a row, so that numbers may change; where another row has the same ones, numbers have to. */
export function toTells(rows: readonly Beside[], others: readonly Beside[]): string[] {
  const counts = countEach(others.map(({ texts }) => texts));
  return rows.map(({ texts, all }) => (texts !== "" && (counts.get(texts) ?? 0) <= 1 ? texts : all));
}

/** The blocks for which it matters which row a formula stands in: not where all of a column say the same of their own. */
export function listTied({ templates, blocks }: KeptRecord): Set<KeptBlock> {
  const columns = new Map<string, Set<number | null>>();
  const toColumn = ({ sheet, column }: KeptBlock, c: number) => {
    const key = JSON.stringify([sheet, column + c]);
    const known = columns.get(key) ?? new Set();
    columns.set(key, known);
    return known;
  };
  for (const block of blocks) {
    for (const row of block.formulas) for (const [c, number] of row.entries()) toColumn(block, c).add(number);
  }
  const isTied = (block: KeptBlock) =>
    [...(block.formulas[0] ?? []).entries()].some(
      ([c, number]) => toColumn(block, c).size > 1 || !isOfOwnRow(templates[number ?? -1] ?? [], block.rows === 1),
    );
  // A table that spilled is seen to be another one once its rows are sorted.
  return new Set(blocks.filter((block) => !(block.isSpill && block.rows > 1) && isTied(block)));
}

function isOfOwnRow(template: Template, isAlone: boolean): boolean {
  const references = template.flatMap((part) => (typeof part === "string" ? [] : [part]));
  const rows = references.flatMap(({ corners }) => corners.map(({ row }) => row));
  const isFollowing = rows.every((row) => row === null || row[1] || row[0] === 0);
  const isHere = references.every(({ sheet, corners }) => sheet === "" || corners.every(({ row }) => row?.[1] ?? true));
  return isFollowing && isHere && (!isAlone || rows.some((row) => row !== null && !row[1]));
}

/** Where rows are now by what tells them; where more than one could be meant, only if what they show settles it. */
export function findRows(
  before: readonly { tell: string; shown: string }[],
  now: readonly (Beside & { shown: string })[],
): Line[] {
  const toKeys = ({ tell, shown }: { tell: string; shown: string }) => [tell, `${tell}|${shown}`] as const;
  const counts = countEach(before.flatMap(toKeys));
  const found = new Map<string, Set<number>>();
  now.forEach(({ texts, all, shown }, row) => {
    for (const tell of new Set([texts, all])) {
      if (tell === "" && all !== "") continue;
      for (const key of toKeys({ tell, shown })) found.set(key, (found.get(key) ?? new Set()).add(row));
    }
  });
  const isIn = (row: number, key: string) => found.get(key)?.has(row) ?? false;
  const isUntouched = before.length === now.length && before.every((each, row) => isIn(row, toKeys(each)[1]));
  if (isUntouched) return before.map((_, row) => row);
  const rows = before.map((each): Line => {
    const keys = toKeys(each).slice(each.tell === "" ? 1 : 0);
    const key = keys.find((one) => counts.get(one) === 1 && found.get(one)?.size === 1);
    return [...(found.get(key ?? "none") ?? [])][0] ?? "unknown";
  });
  const taken = new Set(rows.filter((row) => row !== "unknown"));
  return taken.size < now.length ? rows : rows.map((row) => (row === "unknown" ? "gone" : row));
}

/** Whether rows were put into another order, or others came and went so that their number is the same. */
export function isShuffled(rows: readonly Line[], length: number): boolean {
  const known = rows.flatMap((row, before) => (typeof row === "number" ? [{ row, before }] : []));
  if (rows.length === length) return known.some(({ row, before }) => row !== before);
  return known.some(({ row }, index) => row <= (known[index - 1]?.row ?? -1));
}

function countEach(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
