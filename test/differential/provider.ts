import { setTimeout } from "node:timers/promises";
import { type Chance, createChance } from "../support/chance";
import { type Received, type RunningServer, startServer } from "../support/http-server";
import {
  LEVELS,
  LIST_KINDS,
  type ListKind,
  NODES,
  readCompanyId,
  readCountry,
  readDay,
  toLevel,
  toNode,
} from "./addresses";
import { spoil } from "./faults";
import {
  type Answer,
  answerMany,
  answerSearch,
  type FigureSet,
  findCompany,
  NOT_FOUND,
  type RequestBody,
  writeFinancials,
  writeRecord,
} from "./figure-answers";
import type { ListEditions } from "./list-editions";
import { type ServedList, serveList } from "./list-pages";

/** An independent provider by our reading of the API document, with its truth in memory. */
export type Provider = Awaited<ReturnType<typeof startProvider>>;

const MARKETS = "/asia/private-markets/v1";
const TAXONOMIES = "/asia/industry-taxonomies/v1";
const RANKINGS = "/japan/ranking/v1";
const LONGEST_RECORD = 400;

interface Routed {
  set: number;
  answer: () => Answer;
}

/** Short, so that tokens expire while lists are read. */
const TOKEN_SECONDS = 60;

/** Starts it on a free port of this machine. It gives a token for any assertion. */
export async function startProvider(seed: number) {
  const world = createWorld(seed);
  const expiries = new Map<string, number>();
  const counts = { requests: 0, tokens: 0 };
  const server: RunningServer = await startServer(async (request) => {
    server.requests.length = 0; // the sets have their own records
    const { method, path, query, headers, body } = request;
    if (path === "/token") {
      const token = `token-${++counts.tokens}`;
      expiries.set(`Bearer ${token}`, Date.now() + TOKEN_SECONDS * 1_000);
      return { json: { access_token: token, token_type: "bearer", expires_in: TOKEN_SECONDS } };
    }
    counts.requests += 1;
    if (!((expiries.get(headers.authorization ?? "") ?? 0) > Date.now())) return { status: 401, json: {} };
    const { set, answer } = world.route(request);
    world.record(set, `${method} ${path}?${query} ${JSON.stringify(body)}`);
    const { status, body: json, delayMs = 0 } = answer();
    await setTimeout(delayMs);
    const answering = await spoil({ status, json }, world.shareOf(set), world.chanceOf(set));
    return request.isAborted() ? { raw: () => {} } : answering;
  });
  return { ...world, baseUrl: server.url, counts, close: server.close };
}

/** The data sets and how to reach them. */
function createWorld(seed: number) {
  const lists = new Map<string, ServedList>();
  const figures = new Map<number, FigureSet>();
  const faults = new Map<number, number>();
  const records = new Map<number, string[]>();
  const chances = new Map<number, Chance>();
  /** Each data set has its own random generator, so that requests for others do not affect it. */
  const chanceOf = (set: number): Chance => {
    const chance = chances.get(set) ?? createChance(seed * 1_048_573 + set);
    chances.set(set, chance);
    return chance;
  };
  const findSet = (set: number) => figures.get(set);
  const toList = (kind: ListKind, set: number, query: URLSearchParams): Routed => {
    const served = lists.get(`${kind} ${set}`);
    const nothing = { status: 200, body: { data: [], page: 1, pageSize: 25, total: 0 } };
    return { set, answer: () => served?.answer(query) ?? nothing };
  };
  return {
    chanceOf,
    addList(list: ListEditions) {
      const served = serveList(list, chanceOf(list.set));
      lists.set(`${list.kind} ${list.set}`, served);
      return served;
    },
    addFigures: (added: FigureSet) => void figures.set(added.set, added),
    /** Sets the share of a data set's answers with a fault, 0 to 1. */
    setFaults: (set: number, share: number) => void faults.set(set, share),
    /** Frees data that is no longer requested. */
    remove(set: number) {
      for (const kind of LIST_KINDS) lists.delete(`${kind} ${set}`);
      for (const map of [figures, faults, records, chances]) map.delete(set);
    },
    shareOf: (set: number) => faults.get(set) ?? 0,
    /** The requests for a data set, oldest first. */
    requestsOf: (set: number) => records.get(set) ?? [],
    record(set: number, address: string) {
      const all = records.get(set) ?? [];
      if (all.push(address.slice(0, LONGEST_RECORD)) > 200) all.shift();
      records.set(set, all);
    },
    route: (request: Received) => routeLists(request, toList) ?? routeCompanies(request, findSet, chanceOf),
  };
}

const toTree = () =>
  Array.from({ length: NODES }, (_, set) => ({
    ...{ sectorId: toLevel(set) === "sectors" ? toNode(set) : `S${set}`, sectorName: `Sector ${set}` },
    subSectors: [
      {
        ...{
          subSectorId: toLevel(set) === "sub-sectors" ? toNode(set) : `U${set}`,
          subSectorName: `Sub-sector ${set}`,
        },
        industries: [
          { industryId: toLevel(set) === "industries" ? toNode(set) : `D${set}`, industryName: `Industry ${set}` },
        ],
      },
    ],
  }));

type ToList = (kind: ListKind, set: number, query: URLSearchParams) => Routed;

function routeLists({ method, path, query }: Received, toList: ToList): Routed | undefined {
  if (method !== "GET") return undefined;
  const day = readDay(query.get("start_datetime") ?? "");
  const country = query.get("country") ?? "";
  if (path === `${RANKINGS}/companies`) return toList("companies", day, query);
  if (path === `${RANKINGS}/company-pages`) return toList("pages", day, query);
  if (path === `${RANKINGS}/industries`) return toList("industries", day, query);
  if (path === `${TAXONOMIES}/tree`) return { set: -1, answer: () => ({ status: 200, body: toTree() }) };
  if (path === `${TAXONOMIES}/companies`) return toList("universe", readCountry(country), query);
  if (path === `${MARKETS}/companies` && !query.has("identifier"))
    return toList("private", readCountry(country), query);
  const [, level, node] = /^\/([a-z-]+)\/[A-Z]+(\d+)\/companies$/.exec(path.replace(TAXONOMIES, "")) ?? [];
  return LEVELS.includes(level as never) ? toList("constituents", Number(node), query) : undefined;
}

function routeCompanies(
  { path, query, body }: Received,
  findSet: (set: number) => FigureSet | undefined,
  chanceOf: (set: number) => Chance,
): Routed {
  const year = query.has("year") ? Number(query.get("year")) : null;
  if (path === `${MARKETS}/companies`)
    return { set: -1, answer: () => answerSearch(findSet, query.get("identifier") ?? "", query.get("country") ?? "") };
  if (path === `${MARKETS}/financials`) {
    const request = body as RequestBody;
    const set = readCompanyId(request.companyIds?.[0] ?? "")?.set ?? -1;
    return { set, answer: () => answerMany(findSet, request, chanceOf(set)) };
  }
  const [, id = ""] = /\/companies\/([^/]+)$/.exec(path) ?? [];
  const company = findCompany(findSet, id);
  const set = readCompanyId(id)?.set ?? -1;
  if (company === undefined || path.startsWith(TAXONOMIES)) return { set, answer: () => NOT_FOUND };
  const isOfFigures = path.startsWith(`${MARKETS}/financials/`);
  const answer = () => ({ status: 200, body: isOfFigures ? writeFinancials(company, year) : writeRecord(company) });
  return { set, answer };
}
