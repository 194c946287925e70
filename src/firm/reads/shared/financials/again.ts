import { toGroups } from "../../../../client/batch/planner";
import { type CompanyResult, type Failed, isPassing, isTrouble, type LoadResult } from "../result";
import { admitNew, type FinancialsRead, findCached, storeOwnAbsence } from "./read";

/**
 * Loads again, in this reader's own requests, each company that failed or is missing perhaps only because of another
 * reader: of that reader's rights, quota or companies. A slow load goes on beside the retry; the first result counts.
 */
export async function loadAgain(read: FinancialsRead): Promise<void> {
  const { ids, results, chunks } = read;
  const again = ids.filter((id) => !isOwn(read, results.get(id)!));
  const refused = admitNew(read, again);
  const alone = new Map<string, Promise<LoadResult>>();
  for (const group of toGroups(again, chunks.largest())) {
    const loaded = refused === undefined ? loadAlone(read, group) : Promise.resolve(refused);
    const pick = async (id: string) => {
      const all = await loaded;
      if ("is" in all) return all;
      const result = all.get(id)!;
      const own = result.is === "absent" ? { ...result, className: read.reader.className } : result;
      return storeOwnAbsence(read, id, own);
    };
    for (const id of group) alone.set(id, pick(id));
  }
  const settle = async (id: string) => {
    const before = results.get(id)!;
    const later =
      before.is === "failed" ? before.later?.then((result) => storeOwnAbsence(read, id, result)) : undefined;
    const pending = [later, alone.get(id)].filter((each) => each !== undefined);
    if (pending.length > 0) results.set(id, await pickFirst(pending));
  };
  await Promise.all(ids.map(settle));
}

/** Gives the first result that is no failure, the first failure that passes with time, or the last one. */
function pickFirst(pending: readonly Promise<LoadResult>[]): Promise<LoadResult> {
  let left = pending.length;
  return new Promise((resolve, reject) => {
    const receive = (result: LoadResult) => {
      left -= 1;
      if (result.is !== "failed" || isPassing(result) || left === 0) resolve(result);
    };
    for (const each of pending) each.then(receive, reject);
  });
}

async function loadAlone(read: FinancialsRead, group: readonly string[]): Promise<Results | Failed> {
  const { year, results, chunks, queries, reader } = read;
  const load = async () => {
    const cached = await findCached(read, group); // another reader may have loaded it meanwhile
    const come = [...cached].flatMap(([id, each]) => (each.is === "found" ? [[id, each] as const] : []));
    const missing = group.filter((id) => cached.get(id)?.is !== "found");
    const loaded =
      missing.length === 0 ? [] : await chunks.load(year, missing, (chunkQuery) => queries.send(reader, chunkQuery));
    return new Map<string, CompanyResult>([...come, ...loaded]);
  };
  const before = group.map((id) => results.get(id)!).filter((result) => result.is === "failed");
  const trouble = before.find(isTrouble);
  return trouble === undefined ? load() : retry(trouble, reader.who, load);
}

type Results = ReadonlyMap<string, CompanyResult>;

/** Two readers retry for all of a chunk: one's companies may break an answer where another's do not. */
const RETRIES = 2;
/** Their failures by reader, by the companies of the chunk; undefined for a reader of whom a load went well. */
const retries = new WeakMap<readonly string[], Map<string, Promise<Failed | undefined>>>();

/** Retries after a chunk's failure, or gives the failure of two others who have. */
async function retry({ together }: Failed, who: string, load: () => Promise<Results>): Promise<Results | Failed> {
  const others = retries.get(together) ?? new Map<string, Promise<Failed | undefined>>();
  retries.set(together, others);
  const before = others.get(who);
  if (before === undefined && others.size === RETRIES) return (await findFailure([...others.values()])) ?? load();
  const loaded = load();
  const ended = loaded.then(findTrouble, () => undefined);
  others.set(who, before?.then((failed) => failed && ended) ?? ended);
  return loaded;
}

/** Gives the failure of both; undefined as soon as one went well. */
async function findFailure(others: readonly Promise<Failed | undefined>[]): Promise<Failed | undefined> {
  const ended = (await Promise.race(others)) && (await Promise.all(others));
  return ended?.every((failed) => failed !== undefined) ? toEverybodys(ended.at(-1)!) : undefined;
}

/** Gives the failure of all companies, where it may be the provider's own. */
function findTrouble(results: Results): Failed | undefined {
  const all = [...results.values()];
  const [first] = all;
  return first?.is === "failed" && all.every((each) => each.is === "failed" && isTrouble(each)) ? first : undefined;
}

/** Removes the body: it may name one reader's companies. */
function toEverybodys(failed: Failed): Failed {
  const { said } = failed;
  const shareable = said instanceof Error ? said : { ...said, body: FAILS };
  return { ...failed, of: "everybody", said: shareable };
}

const FAILS = Buffer.from('{"error":{"message":"The provider fails for others as well: try again later."}}');

function isOwn({ ids, reader }: FinancialsRead, result: LoadResult): boolean {
  if (result.is === "absent") return result.className === reader.className;
  return result.is === "found" || result.of !== "chunk" || result.together.every((other) => ids.includes(other));
}

/**
 * Passes an answer that cannot be split on as it is; where it holds other readers' companies, loads the original query.
 */
export async function loadUnsplit(read: FinancialsRead, odd: Failed): Promise<LoadResult> {
  const { ids, queries, reader, query } = read;
  const isOwnAnswer = odd.together.length === ids.length && odd.together.every((id) => ids.includes(id));
  if (isOwnAnswer) return odd;
  const refused = admitNew(read, ids);
  return refused ?? { ...odd, said: await queries.send(reader, query) };
}
