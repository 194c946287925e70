import { type Row, readText } from "../../feed/decode";
import { foldCode } from "../../feed/names/folding";
import { LEVELS, type Level, readId, type TreeNode, toTreeRows } from "../../feed/taxonomies/tree";

/** A node of the taxonomy with what is below it. */
export interface Branch extends TreeNode {
  /** Ids from the sector down, since a node may stand below several. */
  readonly key: string;
  readonly description: string | null;
  /** Names of what is above it, from the sector down. */
  readonly path: readonly string[];
  readonly branches: readonly Branch[];
}

const DOWNWARDS = [...LEVELS].reverse();

/** Reads the provider's tree. @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const readBranches = (tree: readonly Row[]): readonly Branch[] =>
  toBranches(toTreeRows(tree, "industry"), DOWNWARDS, { key: "", path: [] });

function toBranches(
  rows: readonly Row[],
  [level, ...finer]: readonly Level[],
  above: Pick<Branch, "key" | "path">,
): readonly Branch[] {
  if (level === undefined) return [];
  const ids = new Set(rows.flatMap((row) => readId(row[`${level}Id`]) ?? []));
  return [...ids].map((id) => {
    const within = rows.filter((row) => readId(row[`${level}Id`]) === id);
    const key = `${above.key}/${id}`;
    const name = readText(within[0]?.[`${level}Name`]) ?? id;
    const branches = toBranches(within, finer, { key, path: [...above.path, name] });
    const description = readText(within[0]?.[`${level}Description`]);
    return { key, level, id, name, description, path: above.path, branches };
  });
}

/** The branches whose names or ids hold a text, with all below them and the way to them. */
export function pickBranches(branches: readonly Branch[], text: string): readonly Branch[] {
  const wanted = foldCode(text);
  if (wanted === "") return branches;
  return branches.flatMap((branch) => {
    if ([branch.name, branch.id].some((each) => foldCode(each).includes(wanted))) return [branch];
    const below = pickBranches(branch.branches, text);
    return below.length === 0 ? [] : [{ ...branch, branches: below }];
  });
}

/** A branch where it stands in the list that a person sees. */
export interface Line {
  branch: Branch;
  /** 1 for a sector. */
  depth: number;
  /** From 1, among its siblings. */
  place: number;
  siblings: number;
  /** Key of the line above it in the tree. */
  parent: string | null;
}

/** The lines of a tree of which some branches are open. */
export function listLines(
  branches: readonly Branch[],
  isOpen: (key: string) => boolean,
  depth = 1,
  parent: string | null = null,
): readonly Line[] {
  return branches.flatMap((branch, index) => [
    { branch, depth, place: index + 1, siblings: branches.length, parent },
    ...(isOpen(branch.key) ? listLines(branch.branches, isOpen, depth + 1, branch.key) : []),
  ]);
}

/** What a key does on a line of a tree. */
export type Step = { kind: "go"; key: string } | { kind: "turn"; key: string } | { kind: "choose"; branch: Branch };

/** Reads a key as trees take it: arrows up and down, right into a branch, left out of it, Home and End. */
export function readStep(
  pressed: string,
  lines: readonly Line[],
  at: number,
  isOpen: (key: string) => boolean,
): Step | null {
  const line = lines[at];
  if (line === undefined) return null;
  const { branch, parent } = line;
  const isFolded = !isOpen(branch.key);
  const hasBranches = branch.branches.length > 0;
  if (pressed === "Enter" || pressed === " ") return { kind: "choose", branch };
  if (hasBranches && pressed === (isFolded ? "ArrowRight" : "ArrowLeft")) return { kind: "turn", key: branch.key };
  const next: Record<string, string | null | undefined> = {
    ArrowDown: lines[at + 1]?.branch.key,
    ArrowUp: lines[at - 1]?.branch.key,
    ArrowRight: hasBranches ? lines[at + 1]?.branch.key : null,
    ArrowLeft: parent,
    Home: lines[0]?.branch.key,
    End: lines.at(-1)?.branch.key,
  };
  const key = next[pressed] ?? null;
  return key === null ? null : { kind: "go", key };
}
