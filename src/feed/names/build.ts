import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { decodePage, type Page, type Row, readText } from "../decode";
import { NoValueError, RequestError } from "../errors";
import { createPageLimit, loadPages, type PageLimit } from "../pages";
import type { Call, Provider } from "../provider";
import type { IndexFacts, NameEngine, PageFacts } from "./engine";
import { FAMILIES, type Family, toNameRow } from "./rows";

/** How far a build is. */
export interface BuildProgress {
  /** Names that have come, of both families. */
  rows: number;
  expected: number;
  /** Requests that this index has taken so far. */
  requests: number;
  /** Requests it will take in all, about; null while the first pages do not tell. */
  expectedRequests: number | null;
}

export interface BuildOptions {
  provider: Provider;
  engine: NameEngine;
  /** Of the index in the engine. */
  key: string;
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** More requests than that are not sent. */
  mostRequests: number;
  signal: AbortSignal;
  nowMs: () => number;
  tell: (progress: BuildProgress) => void;
}

/** Pages of before are gone on with for a day; after that the lists have moved on. */
const RESUMED_FOR_MS = 24 * 60 * 60_000;

/**
 * Reads the names of a country's companies from both families, page by page, and makes an index of them. What
 * came before a failure or a cancel is not asked again. A family that the client may not read is left out.
 *
 * @throws NoValueError (FEED_INDEX_NOT_READY) when more requests would be needed; what `provider.load` throws
 */
export async function buildNames(options: BuildOptions): Promise<IndexFacts> {
  const { engine, key, nowMs } = options;
  const kept = await engine.resume(key, nowMs() - RESUMED_FOR_MS);
  const stop = new AbortController();
  const leave = () => stop.abort(options.signal.reason);
  options.signal.addEventListener("abort", leave);
  const gate = createGate(options);
  const build = { ...options, signal: stop.signal, gate };
  const read = async (family: Family): Promise<unknown> => {
    try {
      await readFamily(build, family, kept);
      return null;
    } catch (error) {
      if (isForbidden(error) && !gate.isBegun(family)) {
        gate.leaveOut(family);
        return error;
      }
      gate.fail(error);
      stop.abort(error); // the other family's list is worth nothing by itself
      throw gate.reason();
    }
  };
  try {
    options.signal.throwIfAborted();
    const results = await Promise.allSettled(FAMILIES.map(read));
    const refusals = results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    if (refusals.every((refusal) => refusal !== null)) throw refusals[0];
    const missing = FAMILIES.filter((_, index) => refusals[index] !== null);
    return await engine.finish(key, { builtAtMs: nowMs(), missing });
  } finally {
    options.signal.removeEventListener("abort", leave);
  }
}

const isForbidden = (error: unknown): boolean => error instanceof RequestError && error.code === "FEED_SCOPE_MISSING";

type Build = BuildOptions & { gate: Gate };

/** Reads a family's list to its end. */
async function readFamily(build: Build, family: Family, kept: readonly PageFacts[]): Promise<void> {
  const known = new Map(kept.filter((page) => page.family === family).map((page) => [page.number, page]));
  const limit: PageLimit = known.has(1) ? { pageSize: known.get(1)?.asked } : createPageLimit();
  await loadPages({
    wanted: "all",
    limit,
    grow: () => {},
    identify: (row) => row.id as string,
    async loadPage(number, asked) {
      if (number > 1) await build.gate.passed;
      const before = known.get(number);
      // Once a page is asked for, so are those behind it; and a list that does not add up is read anew as a whole.
      if (before?.asked !== asked) known.clear();
      known.delete(number);
      const isKept = before !== undefined && before.asked === asked;
      const page = isKept ? before : await loadPage(build, family, number, asked);
      build.gate.count(family, page, isKept);
      return { rows: page.ids.map((id) => ({ id })), pageSize: page.pageSize, total: page.total };
    },
  });
}

async function loadPage(build: Build, family: Family, number: number, asked: number | undefined): Promise<PageFacts> {
  const { provider, engine, key, country, signal, nowMs, gate } = build;
  signal.throwIfAborted();
  gate.ask();
  const { body } = await provider.load(toCall(family, country, number, asked), { signal });
  const { rows, pageSize, total }: Page = decodePage(body, "list of companies");
  const names = rows.map((row) => toNameRow(family, row, country)).filter((row) => row !== null);
  const page = { family, number, asked, pageSize, total, ids: rows.map(identify), atMs: nowMs() };
  await engine.add(key, { ...page, names });
  return page;
}

function toCall(family: Family, country: string, page: number, pageSize: number | undefined): Call {
  const query = { country, page, page_size: pageSize };
  if (family === "private") return { operation: "searchCompanies", query };
  return { operation: "listTaxonomyCompanies", query: { ...query, company_type: "ALL" } };
}

const identify = (row: Row): string => readText(row.companyId) ?? readText(row.id) ?? JSON.stringify(row);

type Gate = ReturnType<typeof createGate>;

/** What is known of a family's list: `needed` are its requests in all, by its first page. */
interface Reading {
  rows: number;
  expected: number;
  needed: number;
}

/** Counts what came, and lets second pages pass when the first ones tell that all of it takes no more than is allowed. */
function createGate({ country, mostRequests, tell }: BuildOptions) {
  const families = new Map<Family, Reading | null>();
  const { promise: passed, resolve: open, reject: refuse } = createPromise();
  let sent = 0;
  let kept = 0;
  let reason: unknown;
  const sum = (pick: (reading: Reading) => number) =>
    [...families.values()].reduce((all, reading) => all + (reading === null ? 1 : pick(reading)), 0);
  const fail = (error: unknown) => {
    reason ??= error;
    refuse(reason);
  };
  const report = () => {
    const needed =
      families.size === FAMILIES.length
        ? Math.max(
            sum((each) => each.needed),
            sent + kept,
          )
        : null;
    const expectedRequests = needed === Number.POSITIVE_INFINITY ? null : needed;
    const read = [...families.values()].filter((reading) => reading !== null);
    const rows = read.reduce((all, reading) => all + reading.rows, 0);
    const expected = read.reduce((all, reading) => all + reading.expected, 0);
    tell({ rows, expected, requests: sent + kept, expectedRequests });
    if (needed === null) return;
    if (needed <= mostRequests) open();
    else fail(toNotReady(country, expectedRequests));
  };
  return {
    passed,
    fail,
    reason: () => reason,
    isBegun: (family: Family) => families.has(family),
    /** @throws NoValueError (FEED_INDEX_NOT_READY) */
    ask() {
      if (sent >= mostRequests) throw toNotReady(country, null);
      sent++;
    },
    leaveOut(family: Family) {
      families.set(family, null);
      report();
    },
    count(family: Family, page: PageFacts, isKept: boolean) {
      if (isKept) kept++;
      const before = page.number === 1 ? null : families.get(family);
      const rows = (before?.rows ?? 0) + page.ids.length;
      const expected = Math.max(page.total ?? 0, rows);
      const needed = before?.needed ?? countNeeded(page);
      families.set(family, { rows, expected, needed });
      report();
    },
  };
}

function createPromise() {
  let resolve = () => {};
  let reject = (_: unknown) => {};
  const promise = new Promise<void>((whenSo, otherwise) => {
    resolve = whenSo;
    reject = otherwise;
  });
  promise.catch(() => {}); // a list of one page never asks
  return { promise, resolve, reject };
}

/** Requests that a list takes by its first page; a page that is full without a total tells nothing. */
function countNeeded({ ids, asked, pageSize, total }: PageFacts): number {
  const isFull = ids.length > 0 && ids.length >= (pageSize ?? asked ?? DEFAULT_PAGE_SIZE);
  if (total === null || total < ids.length) return isFull ? Number.POSITIVE_INFINITY : 1;
  if (total === ids.length) return ids.length > 0 && ids.length % DEFAULT_PAGE_SIZE === 0 ? 2 : 1;
  // The last page is followed by one more request where it may be full.
  return Math.ceil(total / Math.max(1, ids.length)) + (total % Math.max(1, ids.length) === 0 ? 1 : 0);
}

/**
 * The refusal of a question that would take too many requests.
 *
 * @param requests how many; null when nobody knows
 * @param sent how many of them a build that is under way has sent
 */
export function toNotReady(country: string, requests: number | null, sent?: number): NoValueError {
  const index = `the index of names for ${country}`;
  const many = requests === null ? "many requests" : `about ${requests} requests`;
  return new NoValueError(
    "FEED_INDEX_NOT_READY",
    sent === undefined
      ? `${index} is not built: ${many}; build it in the FEED pane`
      : `${index} is being built: ${sent} of ${many}; this shows when it is built`,
  );
}
