import { RequestError } from "../../client/errors";
import type { Call, Provider } from "../../client/provider";
import { decodePage, type Page } from "../decode";
import { type ListReading, loadPages, type PageLimits } from "../pages";
import { identifyRow } from "../pages/identity";
import { createLoadPage } from "../pages/page";
import type { IndexFacts, NameEngine, PageFacts } from "./engine";
import { createGate, type Gate, type GateOptions } from "./gate";
import { NAME_SOURCES, type NameSource, toNameRow } from "./rows";

export interface BuildOptions extends GateOptions {
  provider: Provider;
  /** What is known of how it pages its lists. */
  limits: PageLimits;
  engine: NameEngine;
  /** Of the index in the engine. */
  key: string;
  signal: AbortSignal;
  nowMs: () => number;
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
      stop.abort(error); // the other family's list is worth nothing by itself
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

type Build = BuildOptions & { gate: Gate };

/** Pages that are older than that may be of another moment than the next ones. */
const ONE_READING_MS = 5 * 60_000;

/** Reads a family's list to its end. */
async function readFamily(build: Build, family: NameSource, persisted: readonly PageFacts[]): Promise<void> {
  const known = new Map(persisted.filter((page) => page.family === family).map((page) => [page.number, page]));
  // Pages of before are found by the size that they were asked in.
  const limit = known.has(1) ? { pageSize: known.get(1)?.asked } : build.limits.of(OPERATIONS[family]);
  await loadPages({
    wanted: "all",
    limit,
    grow: () => {},
    async loadPage(number, asked, reading) {
      const { isFresh } = reading;
      if (number > 1) await build.gate.passed;
      const before = known.get(number);
      // Once a page is asked for, so are those behind it; and a list that does not add up is read anew as a whole.
      if (isFresh || before?.asked !== asked) known.clear();
      known.delete(number);
      const persisted = isFresh || before?.asked !== asked ? undefined : before;
      // The last page of before shows whether the list has moved since then.
      const isOld =
        persisted !== undefined && build.nowMs() - persisted.atMs > ONE_READING_MS && !known.has(number + 1);
      const isPersisted = persisted !== undefined && !isOld;
      const page: LoadedPage = isPersisted ? persisted : await loadPage(build, family, number, asked, reading);
      build.gate.count(family, page, isPersisted);
      const { ids, pageSize, total } = page;
      const hasMoved = page.isOfAnotherReading || (isOld && number > 1 && !isSame(persisted, page));
      return { rows: ids.map((id) => ({ id })), pageSize, total, ...(hasMoved && { isOfAnotherReading: true }) };
    },
  });
}

const isSame = (one: PageFacts, other: PageFacts): boolean =>
  one.total === other.total && one.ids.join("\n") === other.ids.join("\n");

type LoadedPage = PageFacts & Pick<Page, "isOfAnotherReading">;

/** Reads a page, and adds it to the index unless it is of another moment than those before it. */
async function loadPage(
  build: Build,
  family: NameSource,
  number: number,
  asked: number | undefined,
  reading: ListReading,
): Promise<LoadedPage> {
  const { provider, engine, key, country, signal, nowMs, gate } = build;
  signal.throwIfAborted();
  gate.ask();
  const load = createLoadPage(provider, toCall(family, country), { signal }, (body) =>
    decodePage(body, "list of companies"),
  );
  const { rows, pageSize, total, asOfMs: atMs = nowMs(), isOfAnotherReading } = await load(number, asked, reading);
  const names = rows.map((row) => toNameRow(family, row, country)).filter((row) => row !== null);
  const page = { family, number, asked, pageSize, total, ids: rows.map((row) => identifyRow(row).key), atMs };
  if (isOfAnotherReading) return { ...page, isOfAnotherReading };
  await engine.add(key, { ...page, names });
  return page;
}

const OPERATIONS = { private: "searchCompanies", taxonomy: "listTaxonomyCompanies" } as const;

function toCall(family: NameSource, country: string): Call {
  return { operation: OPERATIONS[family], query: { country, ...(family === "taxonomy" && { company_type: "ALL" }) } };
}
