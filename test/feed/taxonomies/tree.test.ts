import { describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import { findNode, type Level, pickBranch, toTreeRows } from "../../../src/feed/taxonomies/tree";
import CASES from "./tree.json";

const TREE: readonly Row[] = CASES.tree;
const idsOf = (level: Level) => toTreeRows(TREE, level).map((row) => [row.sectorId, row.subSectorId, row.industryId]);
const message = (read: () => unknown): string => {
  try {
    return `found ${JSON.stringify(read())}`;
  } catch (error) {
    const { code, message: text } = error as { code: string; message: string };
    return `${code}: ${text}`;
  }
};

describe("a tree as rows", () => {
  it("has a row for every node of a level, and for every parent without children", () => {
    expect(idsOf("sector")).toEqual(["12", "B", null].map((id) => [id, undefined, undefined]));
    expect(idsOf("subSector").map(([, subSector]) => subSector)).toEqual(["12", "S2", "S3", undefined, "b"]);
    expect(idsOf("industry")).toEqual([
      ["12", "12", "120"],
      ["12", "12", "121"],
      ["12", "S2", undefined],
      ["12", "S3", undefined],
      ["B", undefined, undefined],
      [null, "b", undefined],
    ]);
  });

  it("separates the descriptions of a sub-sector and an industry", () => {
    const [row] = toTreeRows(TREE, "industry");
    expect([row?.subSectorDescription, row?.industryDescription]).toEqual(["d", null]);
  });

  it("has a node once that the provider lists twice", () => {
    expect(toTreeRows([...TREE, ...TREE], "industry")).toEqual(toTreeRows(TREE, "industry"));
  });

  it("is malformed if the children are no list", () => {
    const tree = [{ sectorId: "a", subSectors: "none" }];
    expect(message(() => toTreeRows(tree, "industry"))).toMatch(/^FEED_RESPONSE_MALFORMED: /);
    expect(toTreeRows(tree, "sector")).toHaveLength(1);
  });

  it("has a branch below each node, by the node's own level", () => {
    const rows = toTreeRows(TREE, "industry");
    const below = (level: Level, id: string) => pickBranch(rows, { level, id, name: "" }).length;
    expect([below("sector", "12"), below("subSector", "12")]).toEqual([4, 2]);
    expect([below("industry", "12"), below("sector", "B")]).toEqual([0, 1]);
  });
});

describe("a node", () => {
  it.each(CASES.found as [string, object][])("is found by %s", (text, node) => {
    expect(findNode(TREE, text)).toEqual(node);
  });

  const REFUSED = CASES.refused as [string, keyof typeof CASES.others | "tree", string, Level[] | null, string][];
  it.each(REFUSED)("%s", (_, which, text, levels, expected) => {
    const tree: readonly Row[] = which === "tree" ? TREE : CASES.others[which];
    const shown = message(() => findNode(tree, text, levels ?? undefined));
    if (expected.startsWith("FEED_")) expect(shown).toBe(expected);
    else expect(shown).toContain(expected);
  });

  it("of one level is found among those that may be meant, by its exact letters first", () => {
    expect(findNode(TREE, "12", ["sector"]).level).toBe("sector");
    expect([findNode(TREE, "B").level, findNode(TREE, "b").level]).toEqual(["sector", "subSector"]);
    expect(findNode(CASES.others.cases, "sector:aB").id).toBe("aB");
  });

  it("can have a numeric id, or one that looks like a level and an id", () => {
    expect(findNode([{ sectorId: 45, sectorName: "x" }], "45")).toEqual({ level: "sector", id: "45", name: "x" });
    expect(pickBranch([{ sectorId: 45 }], { level: "sector", id: "45", name: "x" })).toHaveLength(1);
    expect(findNode([{ sectorId: "sector:1" }, { sectorId: "1" }], "sector:1").id).toBe("sector:1");
  });
});
