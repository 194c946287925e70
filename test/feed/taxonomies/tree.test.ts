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

  it("of several levels is ambiguous, and the message says what to write for each", () => {
    expect(message(() => findNode(TREE, "12"))).toBe(
      'FEED_AMBIGUOUS: "12" stands for 2 nodes; write "subSector:12" or "sector:12"',
    );
    expect(findNode(TREE, "12", ["sector"]).level).toBe("sector");
  });

  it("whose id differs from another's in letter case alone is matched exactly", () => {
    expect(findNode(TREE, "B").level).toBe("sector");
    expect(findNode(TREE, "b").level).toBe("subSector");
    const tree = [{ sectorId: "Ab" }, { sectorId: "aB" }];
    expect(message(() => findNode(tree, "ab"))).toMatch(/write "sector:Ab" or "sector:aB"$/);
    expect(findNode(tree, "sector:aB").id).toBe("aB");
  });

  it("can have a numeric id, or one that looks like a level and an id", () => {
    expect(findNode([{ sectorId: 45, sectorName: "x" }], "45")).toEqual({ level: "sector", id: "45", name: "x" });
    expect(pickBranch([{ sectorId: 45 }], { level: "sector", id: "45", name: "x" })).toHaveLength(1);
    expect(findNode([{ sectorId: "sector:1" }, { sectorId: "1" }], "sector:1").id).toBe("sector:1");
  });

  it("missing from the tree suggests the closest by id or name, several if equally close", () => {
    expect(message(() => findNode(TREE, "Softwear"))).toBe(
      'FEED_NOT_FOUND: the taxonomy has no node "Softwear"; did you mean S2 (a sub-sector, Software)?',
    );
    expect(message(() => findNode(TREE, "122"))).toMatch(
      /; did you mean 120 \(.*\) or 121 \(.*\) or "subSector:12" \(.*\)\?$/,
    );
    expect(message(() => findNode(TREE, "industry:12"))).toMatch(/^FEED_NOT_FOUND: .*"industry:12"/);
    expect(message(() => findNode([], "12"))).toMatch(/^FEED_NOT_FOUND: .*the provider's tree is empty/);
  });

  it("far from every other has no suggestion but where ids are listed", () => {
    expect(message(() => findNode(TREE, "zzz"))).toBe(
      'FEED_NOT_FOUND: the taxonomy has no node "zzz"; ids are in FEED.TAXONOMY()',
    );
  });

  it("suggests no node of an excluded level", () => {
    expect(message(() => findNode(TREE, "122", ["sector"]))).toMatch(/; did you mean 12 \(a sector, Technology\)\?$/);
    expect(message(() => findNode(TREE, "Softwear", ["sector"]))).toMatch(/; ids are in FEED.TAXONOMY\(\)$/);
  });

  it("of an excluded level is an argument error", () => {
    expect(message(() => findNode(TREE, "121", ["subSector", "sector"]))).toBe(
      'FEED_ARGUMENT_INVALID: "121" is an industry; give the id of a sub-sector or a sector',
    );
  });
});

describe("a suggested node", () => {
  it("is written with its level if the id stands at two levels", () => {
    const tree = [{ sectorId: "12", subSectors: [{ subSectorId: "12", subSectorName: "Metals" }] }];
    expect(() => findNode(tree, "Metal")).toThrow('did you mean "subSector:12" (a sub-sector, Metals)?');
  });
});
