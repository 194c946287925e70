import { findClosest } from "../../client/closest";
import { ArgumentError, NoValueError, RequestError } from "../../client/errors";
import { either, type Message, msg } from "../../client/messages";
import { decodeObjects, type Row, readText } from "../decode";

/** The three levels of the taxonomy (§2.5), the finest first. */
export const LEVELS = ["industry", "subSector", "sector"] as const;

export type Level = (typeof LEVELS)[number];

/** A node of the tree. */
export interface TreeNode {
  readonly level: Level;
  /** The id in the tree's own spelling. */
  readonly id: string;
  /** Empty where the tree names none. */
  readonly name: string;
}

/** Words for nodes of each level. */
export const LEVEL_WORDS: Readonly<Record<Level, { one: Message; any: Message; several: Message }>> = {
  industry: { one: msg`industry`, any: msg`an industry`, several: msg`industries` },
  subSector: { one: msg`sub-sector`, any: msg`a sub-sector`, several: msg`sub-sectors` },
  sector: { one: msg`sector`, any: msg`a sector`, several: msg`sectors` },
};

/**
 * Lays the tree out as rows: one per node of a level, with the nodes above it, each once. A node without children has
 * a row too, so that no sector disappears at a finer level.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED)
 */
export function toTreeRows(tree: readonly Row[], level: Level): readonly Row[] {
  const rows = tree.flatMap(({ sectorId, sectorName, subSectors }) => {
    if (level === "sector") return [{ sectorId, sectorName }];
    return readChildren(subSectors).flatMap(({ subSectorId, subSectorName, description, industries }) => {
      const above = { sectorId, sectorName, subSectorId, subSectorName, subSectorDescription: description };
      if (level === "subSector") return [above];
      return readChildren(industries).map(({ industryId, industryName, description }) => ({
        ...above,
        industryId,
        industryName,
        industryDescription: description,
      }));
    });
  });
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Picks the rows of a tree's branch. */
export function pickBranch(rows: readonly Row[], { level, id }: TreeNode): readonly Row[] {
  return rows.filter((row) => readId(row[`${level}Id`]) === id);
}

/** The nodes below a node; where there are none, one without any field. */
function readChildren(nodes: unknown): readonly Row[] {
  const children = decodeObjects(nodes ?? [], "part of the taxonomy tree");
  return children.length > 0 ? children : [{}];
}

/** The id of a node, which a provider may write as a number; null where there is none. */
export function readId(value: unknown): string | null {
  return typeof value === "number" ? String(value) : readText(value);
}

const QUALIFIED = /^(sector|sub[\s_-]?sector|industry)\s*:\s*(.+)$/i;

/** Reads a node whose level is written, as in "sector:12"; null where the text is an id alone. */
export function readQualified(text: string): Pick<TreeNode, "level" | "id"> | null {
  const [, word = "", id = ""] = QUALIFIED.exec(text) ?? [];
  const level = LEVELS.find((each) => each.toLowerCase() === word.toLowerCase().replace(/[\s_-]/, ""));
  return level === undefined ? null : { level, id };
}

/**
 * Finds the node that a text means: its id, letter case aside, or its level and id as in "sector:12".
 *
 * @param levels accepted levels; default all
 * @throws RequestError (FEED_NOT_FOUND) naming the closest node, NoValueError (FEED_AMBIGUOUS) when several levels have
 *   it, ArgumentError (FEED_ARGUMENT_INVALID) when none of `levels` has it
 */
export function findNode(tree: readonly Row[], text: string, levels: readonly Level[] = LEVELS): TreeNode {
  const nodes = LEVELS.flatMap((level) => listNodes(tree, level));
  const found = pickNodes(nodes, text);
  const fitting = found.filter(({ level }) => levels.includes(level));
  const [node] = fitting;
  if (fitting.length > 1) {
    const ways = fitting.map(({ level, id }) => `"${level}:${id}"`);
    throw new NoValueError("FEED_AMBIGUOUS", msg`"${text}" stands for ${ways.length} nodes; write ${either(ways)}`);
  }
  if (node !== undefined) return node;
  const [other] = found;
  if (other === undefined) throw new RequestError("FEED_NOT_FOUND", toMissing(nodes, levels, text));
  const accepted = either(levels.map((level) => LEVEL_WORDS[level].any));
  throw new ArgumentError(msg`"${text}" is ${LEVEL_WORDS[other.level].any}; give the id of ${accepted}`);
}

function listNodes(tree: readonly Row[], level: Level): TreeNode[] {
  const names = new Map<string, string>();
  for (const row of toTreeRows(tree, level)) {
    const id = readId(row[`${level}Id`]);
    if (id !== null && !names.has(id)) names.set(id, readText(row[`${level}Name`]) ?? "");
  }
  return [...names].map(([id, name]) => ({ level, id, name }));
}

function pickNodes(nodes: readonly TreeNode[], text: string): readonly TreeNode[] {
  const plain = pickById(nodes, text);
  const written = plain.length === 0 ? readQualified(text) : null;
  if (written === null) return plain;
  return pickById(
    nodes.filter(({ level }) => level === written.level),
    written.id,
  );
}

/** Finds nodes by the exact id, else by the id in any letter case. */
function pickById(nodes: readonly TreeNode[], text: string): readonly TreeNode[] {
  const exact = nodes.filter(({ id }) => id === text);
  return exact.length > 0 ? exact : nodes.filter(({ id }) => id.toLowerCase() === text.toLowerCase());
}

/** Suggests nodes by id or name; a name is no id, since two nodes may share it. */
function toMissing(nodes: readonly TreeNode[], levels: readonly Level[], text: string): Message {
  if (nodes.length === 0) return msg`the taxonomy has no node "${text}"; the provider's tree is empty, refresh later`;
  const accepted = nodes.filter(({ level }) => levels.includes(level));
  const names = accepted.flatMap(({ id, name }) => [id, name]);
  const called = findClosest(text, names, 1 / 2);
  const closest = accepted.filter(({ id, name }) => called.includes(id) || called.includes(name)).slice(0, 3);
  const write = ({ level, id }: TreeNode) =>
    accepted.some((each) => each.id === id && each.level !== level) ? `"${level}:${id}"` : id;
  const hints = closest.map(
    (node) => msg`${write(node)} (${LEVEL_WORDS[node.level].any}${node.name && `, ${node.name}`})`,
  );
  return hints.length > 0
    ? msg`the taxonomy has no node "${text}"; did you mean ${either(hints)}?`
    : msg`the taxonomy has no node "${text}"; ids are in FEED.TAXONOMY()`;
}
