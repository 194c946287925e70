import { type Elements, type Lessons, loadPlanned, NO_LESSONS } from "../../../client/batch/planner";
import { NoValueError } from "../../../client/errors";
import type { ProviderQuery } from "../../../companion/feature";
import type { ProviderAnswer } from "../../../companion/relay/answer";
import { OPERATIONS } from "../../../contract/constants";
import { type CompanyResult, type Failed, type Found, toFailed } from "./result";
import { splitFinancials, type Year } from "./split";

/** How long the planner's lessons are used, such as a page cap. */
const LESSONS_MS = 3_600_000;

/** By {@link createChunks}. */
export type Chunks = ReturnType<typeof createChunks>;

/** Sends one query to the provider. */
type Load = (query: ProviderQuery) => Promise<ProviderAnswer>;

interface ChunksOptions {
  /** Stores elements for later readers. */
  store(year: Year, elements: ReadonlyMap<string, Buffer>, atMs: number): Promise<void>;
  nowMs(): number;
}

/** Creates what loads the financials of companies by the planner. */
export function createChunks({ store, nowMs }: ChunksOptions) {
  const recall = createMemory(nowMs);

  /** @param isRest Whether an earlier answer left these out; left out again, they are absent. */
  const loadGroup = async (year: Year, companyIds: readonly string[], load: Load, isRest: boolean) => {
    const answer = await load(toQuery(year, companyIds)).catch((error: Error) => error);
    if (answer instanceof Error || answer.status !== 200) return failAll(companyIds, toFailed(answer, companyIds));
    const split = splitFinancials(answer.body, companyIds, year);
    const isNothing = split?.found.size === 0 && !split.isComplete;
    if (split === undefined || (isNothing && !isRest)) {
      return failAll(companyIds, { is: "failed", of: "form", together: companyIds, said: answer });
    }
    const atMs = nowMs();
    await store(year, split.found, atMs);
    const came = [...split.found].map(([companyId, body]) => [companyId, { is: "found", body, atMs }] as const);
    const missing = split.isComplete || isNothing ? companyIds.filter((companyId) => !split.found.has(companyId)) : [];
    return {
      found: new Map<string, Found | NoElement>([...came, ...toEach(missing, { is: "absent", atMs })]),
      came: came.length,
    };
  };
  return {
    /** The provider's page cap, as far as it is known. */
    largest: () => recall().lessons.companiesAtOnce,
    /**
     * Loads companies, and gives the result of each; never throws.
     * @param companyIds Distinct company ids in lower case, 1 to `largest()`.
     */
    async load(year: Year, companyIds: readonly string[], load: Load): Promise<ReadonlyMap<string, CompanyResult>> {
      const results = await loadPlanned<Found>(recall(), companyIds, year === "all" ? null : year, (group) =>
        loadGroup(year, group, load, group.length < companyIds.length),
      );
      return new Map([...results].map(([id, each]) => [id, each instanceof NoElement ? each.result : (each as Found)]));
    },
  };
}

/** Says why a company has no element. Its readers get a failure and retry without other readers' companies. */
class NoElement extends NoValueError {
  constructor(readonly result: Exclude<CompanyResult, Found>) {
    super("FEED_NO_VALUE", "the answer holds no element of the company");
  }
}

const toEach = (companyIds: readonly string[], result: NoElement["result"]) =>
  companyIds.map((companyId) => [companyId, new NoElement(result)] as const);

/** Fails each company of a query: another reader's company may be the cause, so each reader retries with their own. */
const failAll = (companyIds: readonly string[], failed: Failed): Elements<Found> => ({
  found: new Map(toEach(companyIds, failed)),
  came: 0,
});

function toQuery(year: Year, companyIds: readonly string[]): ProviderQuery {
  const body = Buffer.from(JSON.stringify({ companyIds: companyIds, year: year === "all" ? undefined : year }));
  const { method, path } = OPERATIONS.getFinancialsOfMany;
  return { method, path, body };
}

/** Creates the memory of the planner's lessons, which ends after an hour. */
function createMemory(nowMs: () => number): () => { lessons: Lessons } {
  let memory = { lessons: NO_LESSONS, sinceMs: nowMs() };
  return () => {
    if (nowMs() - memory.sinceMs >= LESSONS_MS) memory = { lessons: NO_LESSONS, sinceMs: nowMs() };
    return memory;
  };
}
