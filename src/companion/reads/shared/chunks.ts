import { DEFAULT_PAGE_SIZE, OPERATIONS } from "../../../contract/constants";
import type { ProviderAnswer, ProviderQuery } from "../../relay/provider-reads";
import { type ChunkOutcome, toFailed } from "./outcome";
import { splitFinancials, type Year } from "./split";

/** How long it is believed that the provider gives fewer companies at once than it was asked for. */
const CUT_MS = 3_600_000;

/** Asks for the financials of some companies together, and for those that an answer leaves out once more. */
export interface Chunks {
  /** How many companies the provider gives at once, as far as is known. */
  largest(): number;
  /**
   * Asks for some companies, and gives what became of each; never throws.
   * @param companyIds Distinct company ids in lower case, 1 to `largest()`.
   */
  load(year: Year, companyIds: readonly string[], load: Load): Promise<ReadonlyMap<string, ChunkOutcome>>;
}

/** Asks the provider once. */
type Load = (query: ProviderQuery) => Promise<ProviderAnswer>;

interface ChunksOptions {
  /** Keeps elements for whoever asks next. */
  store(year: Year, elements: ReadonlyMap<string, Buffer>, atMs: number): Promise<void>;
  nowMs(): number;
}

export function createChunks({ store, nowMs }: ChunksOptions): Chunks {
  const cuts = createCuts(nowMs);

  /** @param isRest Whether an answer left them out before: left out again, they are not there. */
  const ask = async (year: Year, companyIds: readonly string[], load: Load, isRest: boolean): Promise<Outcomes> => {
    const answer = await load(toQuery(year, companyIds)).catch((error: Error) => error);
    if (answer instanceof Error || answer.status !== 200) return forAll(companyIds, toFailed(answer, companyIds));
    const split = splitFinancials(answer.body, companyIds, year);
    const isNothing = split?.found.size === 0 && !split.isComplete;
    if (split === undefined || (isNothing && !isRest)) {
      return forAll(companyIds, { is: "failed", of: "form", together: companyIds, said: answer });
    }
    const { found, isComplete } = split;
    const atMs = nowMs();
    await store(year, found, atMs);
    const outcomes = new Map([...found].map(([companyId, body]) => [companyId, { is: "found", body, atMs }] as const));
    const missing = companyIds.filter((companyId) => !found.has(companyId));
    if (isComplete || isNothing) return new Map([...outcomes, ...forAll(missing, { is: "absent", atMs })]);
    const rest = await askAll(year, toGroups(missing, found.size), load);
    if ([...rest.values()].some(({ is }) => is === "found")) cuts.note(found.size);
    return new Map([...outcomes, ...rest]);
  };
  const askAll = async (year: Year, groups: readonly (readonly string[])[], load: Load): Promise<Outcomes> => {
    const all = await Promise.all(groups.map((group) => ask(year, group, load, true)));
    return new Map(all.flatMap((each) => [...each]));
  };
  return { largest: cuts.largest, load: (year, companyIds, load) => ask(year, companyIds, load, false) };
}

type Outcomes = ReadonlyMap<string, ChunkOutcome>;

const forAll = (companyIds: readonly string[], outcome: ChunkOutcome): Outcomes =>
  new Map(companyIds.map((companyId) => [companyId, outcome]));

function toQuery(year: Year, companyIds: readonly string[]): ProviderQuery {
  const body = Buffer.from(JSON.stringify({ companyIds: companyIds, year: year === "all" ? undefined : year }));
  const { method, path } = OPERATIONS.getFinancialsOfMany;
  return { method, path, body };
}

/** Cuts a list into groups of a size, 1 or more. */
export function toGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let from = 0; from < items.length; from += size) groups.push(items.slice(from, from + size));
  return groups;
}

/** What is learned of a provider that cuts: once may be an accident, the same size again is believed for a while. */
function createCuts(nowMs: () => number) {
  let most = DEFAULT_PAGE_SIZE;
  let untilMs = 0;
  const seen = new Set<number>();
  return {
    largest: () => (nowMs() < untilMs ? most : DEFAULT_PAGE_SIZE),
    note(size: number) {
      if (seen.has(size)) {
        most = size;
        untilMs = nowMs() + CUT_MS;
      }
      seen.add(size);
    },
  };
}
