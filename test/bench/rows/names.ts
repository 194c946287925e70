import { foldCode } from "../../../src/feed/names/folded-letters";
import { foldName, foldQuery } from "../../../src/feed/names/folding";
import { listCodes, listNames, type NameRow } from "../../../src/feed/names/rows";
import { createNameIndex } from "../../../src/feed/names/search";
import { createSyntheticRows } from "../../support/synthetic-names";
import { interleave, median } from "../measure";
import { type Row, toFinding, toMost } from "../row";

const COMPANIES = 300_000;
const WANTED = 100;
const GOAL_MS = 30;

/** One character, common and rare words, several words, codes, legal forms, and a miss. */
const QUERIES = [
  ...["a", "島", "ア", "7", "高島", "株式会社髙島", "斉藤", "カキ", "sak", "Sakura Foods", "foods", "design 77"],
  ...["minamo farm 123 Co., Ltd.", "7203", "1000000000700", "zzzz", "龍宮城", "no such company anywhere"],
  "Endless ".repeat(5000),
];

export const NAMES: Row = {
  name: "names",
  title: `The search for names, over ${COMPANIES.toLocaleString("en")} companies`,
  async measure({ rounds }) {
    const index = createNameIndex(createSyntheticRows(COMPANIES));
    const filter = createFilter(createSyntheticRows(COMPANIES));
    const all: { query: string; FEED: number[]; filter: number[] }[] = [];
    const toContenders = (query: string) => ({
      FEED: async () => time(() => index.search(query, WANTED)),
      filter: async () => time(() => filter(query)),
    });
    for (const query of QUERIES) await interleave(1, toContenders(query)); // the first search runs uncompiled code
    for (const query of QUERIES) all.push({ query, ...(await interleave(rounds, toContenders(query))) });
    const slowest = all.reduce((one, other) => (median(other.FEED) > median(one.FEED) ? other : one));
    const every = { FEED: all.flatMap(({ FEED }) => FEED), filter: all.flatMap((each) => each.filter) };
    const { query, ...samples } = slowest;
    const goal = toMost(GOAL_MS, "ms", [median(samples.FEED)]);
    return [
      toFinding(`one of ${QUERIES.length} lookups`, "ms", every),
      toFinding(`the slowest of them, "${query.slice(0, 30)}"`, "ms", samples, goal),
    ];
  },
};

/** The simplest search: a scan of every company's folded names and codes, unordered. */
function createFilter(rows: readonly NameRow[]): (text: string) => readonly NameRow[] {
  const companies = rows.map((row) => ({
    row,
    text: [...listNames(row).map(foldName), ...listCodes(row).map(foldCode)].join("\n"),
  }));
  return (query) => {
    const { words } = foldQuery(query);
    const found = companies.filter(({ text }) => words.every((word) => text.includes(word)));
    return found.slice(0, WANTED).map(({ row }) => row);
  };
}

function time(act: () => unknown): number {
  const startMs = performance.now();
  act();
  return performance.now() - startMs;
}
