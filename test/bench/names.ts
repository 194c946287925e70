import { OPERATIONS } from "../../src/contract/constants";
import { createFeed } from "../../src/feed/feed";
import { NAME_COLUMNS } from "../../src/feed/names/rows";
import { createNameIndex, openNameIndex } from "../../src/feed/names/search";
import { createPorts } from "../../src/feed/ports";
import { createSyntheticRows } from "../support/synthetic-names";

const COMPANIES = 300_000;
const ROUNDS = 15;
const WANTED = 100;

/** One character, common and rare words, several words, codes, forms, and what is not there. */
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

const print = (line: string) => process.stdout.write(`${line}\n`);
const toMegabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

function measureMemory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function time<T>(run: () => T): { tookMs: number; value: T } {
  const startMs = performance.now();
  const value = run();
  return { tookMs: performance.now() - startMs, value };
}

const median = (times: number[]) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)] as number;

/** A provider in this process that lists the same companies in both families, a thousand a page. */
function createProviderPorts() {
  const companies = createSyntheticRows(COMPANIES).map((row) =>
    Object.fromEntries(NAME_COLUMNS.map((name, index) => [name, row[index] || null])),
  );
  const answer = (url: URL): object => {
    if (url.pathname === "/token") return { access_token: "token", token_type: "bearer", expires_in: 300 };
    const page = Number(url.searchParams.get("page"));
    const size = Number(url.searchParams.get("page_size"));
    const rows = companies.slice((page - 1) * size, page * size);
    const isPrivate = url.pathname === OPERATIONS.searchCompanies.path;
    const data = isPrivate ? rows.map(({ companyId, ...row }) => ({ id: companyId, ...row })) : rows;
    return { data, page, pageSize: size, total: companies.length };
  };
  const send: typeof fetch = async (input) => Response.json(answer(new URL(String(input))));
  return { ...createPorts(), fetch: send };
}

async function buildAll(): Promise<void> {
  const feed = createFeed({
    ports: createProviderPorts(),
    sign: async () => ({ clientId: "client", keyId: "key", assertion: "assertion" }),
    connection: async () => ({ baseUrl: "http://provider", tokenUrl: "http://provider/token", isRelayed: false }),
    owner: async () => "client",
  });
  let told = 0;
  feed.nameIndexes.subscribe(() => {
    const { progress } = feed.nameIndexes.state("JPN");
    if (++told % 100 === 0 && progress !== null) {
      print(`  ${progress.rows} of ${progress.expected} names, ${progress.requests} requests`);
    }
  });
  const startMs = performance.now();
  await feed.nameIndexes.build("JPN");
  const { facts, progress } = feed.nameIndexes.state("JPN");
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  print(`built through the feed: ${facts?.companies} companies, ${progress?.requests} requests, ${seconds} s\n`);
  feed.watch.close();
}

function measureLookups(): void {
  const before = measureMemory();
  const built = time(() => createNameIndex(createSyntheticRows(COMPANIES)));
  const index = built.value;
  print(`${index.size} companies: index built in ${built.tookMs.toFixed(0)} ms (making up the names included)`);
  index.search("a", 1); // a text is put together when it is first read
  print(`memory: ${toMegabytes(measureMemory() - before)}`);
  const kept = structuredClone(index.toKept());
  print(`opened again from what is kept in ${time(() => openNameIndex(kept)).tookMs.toFixed(0)} ms`);

  const all: number[] = [];
  for (const query of QUERIES) {
    const rounds = Array.from({ length: ROUNDS }, () => time(() => index.search(query, WANTED)));
    const times = rounds.map(({ tookMs }) => tookMs);
    all.push(...times);
    const worst = Math.max(...times);
    const name = query.length > 30 ? `${query.slice(0, 30)}… (${query.length} characters)` : query;
    print(
      `${median(times).toFixed(1).padStart(6)} ms median ${worst.toFixed(1).padStart(6)} ms worst  ${rounds[0]?.value.total} found  ${name}`,
    );
  }
  print(`all lookups: median ${median(all).toFixed(1)} ms, worst ${Math.max(...all).toFixed(1)} ms`);
}

void buildAll().then(measureLookups);
