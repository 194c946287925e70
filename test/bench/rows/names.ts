import { createPorts } from "../../../src/client/ports";
import { OPERATIONS } from "../../../src/contract/constants";
import { createFeed } from "../../../src/feed/feed";
import { foldCode, foldName, foldQuery } from "../../../src/feed/names/folding";
import { listCodes, listNames, NAME_COLUMNS, type NameRow } from "../../../src/feed/names/rows";
import { createNameIndex, type NameIndex, openNameIndex } from "../../../src/feed/names/search";
import { createSyntheticRows } from "../../support/synthetic-names";
import { interleave, median } from "../measure";
import type { Bench, Finding, Row } from "../row";

const COMPANIES = 300_000;
const PAGE_SIZE = 1_000;
const WANTED = 100;
const GOAL_MS = 30;
/** A build takes ten seconds, so there are only a few rounds. */
const BUILDS = 3;

/** One character, common and rare words, several words, codes, legal forms, and a miss. */
const QUERIES = [
  ..."a島ア7",
  "高島",
  "株式会社髙島",
  "斉藤",
  "カキ",
  "sak",
  "Sakura Foods",
  "foods",
  "design 77",
  "minamo farm 123 Co., Ltd.",
  "7203",
  "1000000000700",
  "zzzz",
  "龍宮城",
  "no such company anywhere",
  "Endless ".repeat(5000),
];

/** The simplest search: a scan of every company's folded names and codes, unordered. */
type Filter = (text: string) => readonly NameRow[];

export const NAMES: Row = {
  name: "names",
  title: `The search for names, over ${COMPANIES.toLocaleString("en")} companies`,
  async measure(bench) {
    const { index, filter, memory } = await measureMemory();
    const lookups = await measureLookups(bench, index, filter);
    return [...lookups, memory, await measureOpening(bench, index), await measureBuilding(bench)];
  },
};

async function measureMemory(): Promise<{ index: NameIndex; filter: Filter; memory: Finding }> {
  const before = await readMemory();
  const index = createNameIndex(createSyntheticRows(COMPANIES));
  index.search("a", 1); // builds the lazily concatenated strings
  const withIndex = await readMemory();
  const filter = createFilter(createSyntheticRows(COMPANIES));
  filter("a");
  const samples = { FEED: [withIndex - before], filter: [(await readMemory()) - withIndex] };
  return { index, filter, memory: { what: "what it takes in memory", unit: "MB", samples } };
}

/** The memory in use, MB. */
export async function readMemory(): Promise<number> {
  for (let run = 0; run < 3; run++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve)); // some memory is freed by a later task
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

function createFilter(rows: readonly NameRow[]): Filter {
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

async function measureLookups({ rounds }: Bench, index: NameIndex, filter: Filter): Promise<Finding[]> {
  const all: { query: string; FEED: number[]; filter: number[] }[] = [];
  const toContenders = (query: string) => ({
    FEED: async () => time(() => index.search(query, WANTED)),
    filter: async () => time(() => filter(query)),
  });
  for (const query of QUERIES) await interleave(1, toContenders(query)); // the first search runs uncompiled code
  for (const query of QUERIES) all.push({ query, ...(await interleave(rounds, toContenders(query))) });
  const slowest = all.reduce((one, other) => (median(other.FEED) > median(one.FEED) ? other : one));
  const goal = { text: `${GOAL_MS} ms`, isReached: median(slowest.FEED) <= GOAL_MS };
  const every = { FEED: all.flatMap(({ FEED }) => FEED), filter: all.flatMap((each) => each.filter) };
  const { query, ...samples } = slowest;
  return [
    { what: `one of ${QUERIES.length} lookups`, unit: "ms", samples: every },
    { what: `the slowest of them, "${query.slice(0, 30)}"`, unit: "ms", samples, goal },
  ];
}

async function measureOpening({ rounds }: Bench, index: NameIndex): Promise<Finding> {
  const persisted = structuredClone(index.toPersisted());
  const samples = await interleave(rounds, { FEED: async () => time(() => openNameIndex(persisted)) });
  return { what: "until what is kept can be searched again", unit: "ms", samples };
}

/** The floor requests the same pages and parses them. */
async function measureBuilding({ print }: Bench): Promise<Finding> {
  const send = createProvider(createSyntheticRows(COMPANIES));
  const run = (name: string, build: () => Promise<void>) => async () => {
    const startMs = performance.now();
    await build();
    const tookMs = performance.now() - startMs;
    print(`${name}: built in ${(tookMs / 1000).toFixed(1)} s`);
    return tookMs;
  };
  const samples = await interleave(BUILDS, {
    FEED: run("FEED", () => build(send)),
    floor: run("floor", () => readLists(send)),
  });
  return {
    what: `until both lists are read and can be searched, from a provider in this process, ${BUILDS} times`,
    unit: "ms",
    samples,
  };
}

/** A provider with the same companies in both families. */
function createProvider(rows: readonly NameRow[]): typeof fetch {
  const companies = rows.map((row) => Object.fromEntries(NAME_COLUMNS.map((name, at) => [name, row[at] || null])));
  const answer = ({ pathname, searchParams }: URL): object => {
    if (pathname === "/companion/assertion") return { clientId: "client", keyId: "key", assertion: "assertion" };
    if (pathname === OPERATIONS.createToken.path) {
      return { access_token: "token", token_type: "bearer", expires_in: 300 };
    }
    const [page, pageSize] = ["page", "page_size"].map((name) => Number(searchParams.get(name))) as [number, number];
    const part = companies.slice((page - 1) * pageSize, page * pageSize);
    const isPrivate = pathname === OPERATIONS.searchCompanies.path;
    const data = isPrivate ? part.map(({ companyId, ...row }) => ({ id: companyId, ...row })) : part;
    return { data, page, pageSize, total: companies.length };
  };
  return async (input) => Response.json(answer(new URL(String(input))));
}

async function build(send: typeof fetch): Promise<void> {
  const ports = { ...createPorts(), fetch: send };
  const feed = createFeed({ ports, companionUrl: "http://companion", onEvent: () => {} });
  feed.owner.set("client");
  feed.connect({ baseUrl: "http://provider", tokenUrl: "http://provider/token", isRelayed: false });
  await feed.nameIndexes.build("JPN");
  const companies = feed.nameIndexes.state("JPN").facts?.companies;
  if (companies !== COMPANIES) throw new Error(`The index has ${companies} companies.`);
  feed.queryCache.close();
}

async function readLists(send: typeof fetch): Promise<void> {
  for (const { path } of [OPERATIONS.searchCompanies, OPERATIONS.listTaxonomyCompanies]) {
    for (let page = 1; page <= COMPANIES / PAGE_SIZE; page++) {
      await (await send(`http://provider${path}?page=${page}&page_size=${PAGE_SIZE}`)).json();
    }
  }
}

function time(act: () => unknown): number {
  const startMs = performance.now();
  act();
  return performance.now() - startMs;
}
