import { hasCode, NoValueError, RequestError } from "../../client/errors";
import type { Call, Provider } from "../../client/provider";
import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { decodePage, type Page } from "../decode";
import { createLoadPage, type ListReading, loadPages, type PageLimits } from "../pages";
import { identifyRow } from "../pages/accumulator";
import type { IndexFacts, NameEngine, PageFacts } from "./engine";
import { type BuildProgress, type Entry, find, type IndexesContext, move, open } from "./entries";
import { toNotReady } from "./not-ready";
import { NAME_SOURCES, type NameSource, toNameRow } from "./rows";

interface BuildOptions extends GateOptions {
  provider: Provider;
  limits: PageLimits;
  engine: NameEngine;
  /** Of the index in the engine. */
  key: string;
  signal: AbortSignal;
  nowMs: () => number;
}

/** An interrupted build can be resumed for a day; older pages no longer fit the lists. */
const RESUMED_FOR_MS = 24 * 60 * 60_000;

/**
 * Reads the names of a country's companies from both families, page by page, and makes an index of them. A build
 * resumes after a failure or a cancel. A family that the client may not read is left out.
 *
 * @throws NoValueError (FEED_INDEX_NOT_READY) when it takes more than `mostRequests`; the errors of `provider.load`
 */
export async function buildNames(options: BuildOptions): Promise<IndexFacts> {
  const { engine, key, nowMs } = options;
  const persisted = await engine.resume(key, nowMs() - RESUMED_FOR_MS);
  const stop = new AbortController();
  const leave = () => stop.abort(options.signal.reason);
  options.signal.addEventListener("abort", leave);
  const gate = createGate(options);
  const build = { ...options, signal: stop.signal, gate };
  const read = async (family: NameSource): Promise<unknown> => {
    try {
      await readFamily(build, family, persisted);
      return null;
    } catch (error) {
      if (isForbidden(error) && !gate.isBegun(family)) {
        gate.leaveOut(family);
        return error;
      }
      gate.fail(error);
      stop.abort(error); // the index needs both families
      throw gate.reason();
    }
  };
  try {
    options.signal.throwIfAborted();
    const results = await Promise.allSettled(NAME_SOURCES.map(read));
    const refusals = results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    if (refusals.every((refusal) => refusal !== null)) throw refusals[0];
    const missing = NAME_SOURCES.filter((_, index) => refusals[index] !== null);
    return await engine.finish(key, { builtAtMs: nowMs(), missing });
  } finally {
    options.signal.removeEventListener("abort", leave);
  }
}

const isForbidden = (error: unknown): boolean => error instanceof RequestError && error.code === "FEED_SCOPE_MISSING";

type Build = BuildOptions & { gate: ReturnType<typeof createGate> };

/** Pages older than this may not fit the next ones: the list may have changed. */
const ONE_READING_MS = 5 * 60_000;

/** Reads a family's list to its end. */
async function readFamily(build: Build, family: NameSource, persisted: readonly PageFacts[]): Promise<void> {
  const known = new Map(persisted.filter((page) => page.family === family).map((page) => [page.number, page]));
  // Persisted pages serve only in the size of their request.
  const limit = known.has(1) ? { pageSize: known.get(1)?.requestedSize } : build.limits.of(OPERATIONS[family]);
  await loadPages({
    wanted: "all",
    limit,
    async loadPage(number, requestedSize, reading) {
      const { isFresh } = reading;
      if (number > 1) await build.gate.passed;
      const before = known.get(number);
      // After the first page that must be read, all later ones are read too; so is a list that proved incomplete.
      if (isFresh || before?.requestedSize !== requestedSize) known.clear();
      known.delete(number);
      const persisted = isFresh || before?.requestedSize !== requestedSize ? undefined : before;
      // Reading the last persisted page again shows whether the list has changed since.
      const isOld =
        persisted !== undefined && build.nowMs() - persisted.atMs > ONE_READING_MS && !known.has(number + 1);
      const isPersisted = persisted !== undefined && !isOld;
      const page: LoadedPage = isPersisted ? persisted : await loadPage(build, family, number, requestedSize, reading);
      build.gate.countPage(family, page, isPersisted);
      const { ids, pageSize, total } = page;
      const hasMoved = page.isOfAnotherReading || (isOld && number > 1 && !isSame(persisted, page));
      return { rows: ids.map((id) => ({ id })), pageSize, total, ...(hasMoved && { isOfAnotherReading: true }) };
    },
  });
}

const isSame = (one: PageFacts, other: PageFacts): boolean =>
  one.total === other.total && one.ids.join("\n") === other.ids.join("\n");

type LoadedPage = PageFacts & Pick<Page, "isOfAnotherReading">;

/** Reads a page, and adds it to the index unless it belongs to another reading. */
async function loadPage(
  build: Build,
  family: NameSource,
  number: number,
  requestedSize: number | undefined,
  reading: ListReading,
): Promise<LoadedPage> {
  const { provider, engine, key, country, signal, nowMs, gate } = build;
  signal.throwIfAborted();
  gate.admitRequest();
  const load = createLoadPage(provider, toCall(family, country), { signal }, (body) => decodePage(body, "companies"));
  const {
    rows,
    pageSize,
    total,
    asOfMs: atMs = nowMs(),
    isOfAnotherReading,
  } = await load(number, requestedSize, reading);
  const names = rows.map((row) => toNameRow(family, row, country)).filter((row) => row !== null);
  const page = { family, number, requestedSize, pageSize, total, ids: rows.map((row) => identifyRow(row).key), atMs };
  if (isOfAnotherReading) return { ...page, isOfAnotherReading };
  await engine.add(key, { ...page, names });
  return page;
}

const OPERATIONS = { private: "searchCompanies", taxonomy: "listTaxonomyCompanies" } as const;

function toCall(family: NameSource, country: string): Call {
  return { operation: OPERATIONS[family], query: { country, ...(family === "taxonomy" && { company_type: "ALL" }) } };
}

interface GateOptions {
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  mostRequests: number;
  notify: (progress: BuildProgress) => void;
}

interface FamilyProgress {
  rows: number;
  expected: number;
  /** Requests of the whole list, by its first page. */
  needed: number;
}

interface Account {
  /** Null for a family that is left out. */
  families: Map<NameSource, FamilyProgress | null>;
  sent: number;
  persisted: number;
}

/** Counts a build's requests and pages, and lets it past the first pages only where its limit allows the whole build. */
function createGate({ country, mostRequests, notify }: GateOptions) {
  const account: Account = { families: new Map(), sent: 0, persisted: 0 };
  const { families } = account;
  const { promise: passed, resolve: open, reject: refuse } = createPromise();
  let reason: unknown;
  const fail = (error: unknown) => {
    reason ??= error;
    refuse(reason);
  };
  const record = (family: NameSource, reading: FamilyProgress | null) => {
    families.set(family, reading);
    const needed = countRequests(account);
    const progress = toProgress(account, needed);
    notify(progress);
    if (needed === null) return;
    if (needed <= mostRequests) open();
    else fail(toNotReady(country, progress.expectedRequests));
  };
  return {
    passed,
    /** Counts a request about to be sent. @throws NoValueError (FEED_INDEX_NOT_READY) above the limit */
    admitRequest(): void {
      if (account.sent >= mostRequests) throw toNotReady(country, null);
      account.sent++;
    },
    /** Counts a page of a family, read now or persisted. */
    countPage(family: NameSource, page: PageFacts, isPersisted: boolean): void {
      if (isPersisted) account.persisted++;
      record(family, toReading(page.number === 1 ? null : families.get(family), page));
    },
    /** Excludes a family that the client may not read. */
    leaveOut: (family: NameSource) => record(family, null),
    /** Whether a page of the family has come. */
    isBegun: (family: NameSource): boolean => families.has(family),
    /** Rejects `passed`. */
    fail,
    /** The first error that it failed with. */
    reason: (): unknown => reason,
  };
}

function createPromise() {
  let resolve = () => {};
  let reject = (_: unknown) => {};
  const promise = new Promise<void>((whenSo, otherwise) => {
    resolve = whenSo;
    reject = otherwise;
  });
  promise.catch(() => {}); // nothing awaits it in lists of one page
  return { promise, resolve, reject };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Requests of the whole build: Infinity where a list has no total, null until each family has begun. */
function countRequests({ families, sent, persisted }: Account): number | null {
  if (families.size < NAME_SOURCES.length) return null;
  const needed = [...families.values()].map((reading) => reading?.needed ?? 1); // a refusal took a request as well
  return Math.max(sum(needed), sent + persisted);
}

function toProgress({ families, sent, persisted }: Account, needed: number | null): BuildProgress {
  const read = [...families.values()].filter((reading) => reading !== null);
  return {
    rows: sum(read.map(({ rows }) => rows)),
    expected: sum(read.map(({ expected }) => expected)),
    requests: sent + persisted,
    expectedRequests: needed === Number.POSITIVE_INFINITY ? null : needed,
  };
}

function toReading(before: FamilyProgress | null | undefined, page: PageFacts): FamilyProgress {
  const rows = (before?.rows ?? 0) + page.ids.length;
  return { rows, expected: Math.max(page.total ?? 0, rows), needed: before?.needed ?? countNeeded(page) };
}

/** Requests of a list by its first page; unknown, as Infinity, where that is full and has no total. */
function countNeeded({ ids, requestedSize, pageSize, total }: PageFacts): number {
  const isFull = ids.length > 0 && ids.length >= (pageSize ?? requestedSize ?? DEFAULT_PAGE_SIZE);
  if (total === null || total < ids.length) return isFull ? Number.POSITIVE_INFINITY : 1;
  if (total === ids.length) return ids.length > 0 && ids.length % DEFAULT_PAGE_SIZE === 0 ? 2 : 1;
  // The last page is followed by one more request where it may be full.
  return Math.ceil(total / Math.max(1, ids.length)) + (total % Math.max(1, ids.length) === 0 ? 1 : 0);
}

/** Requests that a formula may send for an index; a larger one is built in the pane. */
const MOST_REQUESTS_OF_A_FORMULA = 20;

/** Implements `need` of the indexes. */
export async function need(context: IndexesContext, country: string): Promise<{ key: string; facts: IndexFacts }> {
  const key = await open(context, country);
  const entry = find(context, country);
  const { facts, progress, error } = entry.state;
  if (facts !== null) return { key, facts };
  if (entry.building?.isRequestedByUser)
    throw toNotReady(country, progress?.expectedRequests ?? null, progress?.requests);
  // A build that proved too large for a formula is not tried again by other cells.
  if (error instanceof NoValueError) throw error;
  const known = progress?.expectedRequests ?? 0;
  if (entry.building === null && known > MOST_REQUESTS_OF_A_FORMULA) throw toNotReady(country, known);
  return { key, facts: await (entry.building?.promise ?? start(context, entry, MOST_REQUESTS_OF_A_FORMULA)) };
}

/** Implements `build` of the indexes. A build of a formula that is under way ends first, by success or by its limit. */
export async function build(context: IndexesContext, country: string): Promise<void> {
  const entry = find(context, country);
  const isDone = await entry.building?.promise.then(
    () => true,
    () => false,
  );
  if (isDone || entry.building !== null) return;
  try {
    await start(context, entry, Number.POSITIVE_INFINITY);
  } catch {
    // the state has the error
  }
  context.queryCache.renew(["findNames", country]); // after a failure too: cells say that it is being built
  context.queryCache.renew(["matchNames", country]);
  void context.queryCache.retryFailed(hasCode("FEED_INDEX_NOT_READY"));
}

function start(context: IndexesContext, entry: Entry, mostRequests: number): Promise<IndexFacts> {
  const abort = new AbortController();
  const promise = run(context, entry, mostRequests, abort.signal);
  entry.building = { promise, abort, isRequestedByUser: mostRequests !== MOST_REQUESTS_OF_A_FORMULA };
  move(context, entry, { progress: null, error: null });
  return promise;
}

async function run(
  context: IndexesContext,
  entry: Entry,
  mostRequests: number,
  signal: AbortSignal,
): Promise<IndexFacts> {
  const { country } = entry;
  const { engine, provider, limits, ports } = context;
  try {
    const key = await open(context, country);
    const facts = await buildNames({
      provider,
      limits,
      engine,
      key,
      country,
      mostRequests,
      signal,
      nowMs: ports.nowMs,
      notify: (progress) => move(context, entry, { progress }),
    });
    entry.building = null;
    move(context, entry, { facts });
    return facts;
  } catch (error) {
    entry.building = null;
    move(context, entry, { error: signal.aborted ? null : error });
    throw signal.aborted ? signal.reason : error;
  }
}
