import { toGroups } from "../../../../client/batch/planner";
import { type CompanyResult, type Failed, isPassing, isTrouble, type LoadResult } from "../result";
import type { Probes } from "./probes";
import { admitNew, type FinancialsRead, findCached, storeOwnAbsence } from "./read";

/**
 * Loads again, in this reader's own requests, each company that failed or is missing perhaps only because of another
 * reader: of that reader's rights, quota or companies. A slow load goes on beside the retry; the first result counts.
 */
export async function loadAgain(read: FinancialsRead): Promise<void> {
  const { ids, results, chunks } = read;
  const again = ids.filter((id) => !isOwn(read, results.get(id)!));
  const refused = await admitNew(read, again);
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

async function loadAlone(read: FinancialsRead, group: readonly string[]): ReturnType<Probes["run"]> {
  const { year, results, chunks, probes, queries, reader } = read;
  const load = async () => {
    const cached = await findCached(read, group); // another reader may have loaded it meanwhile
    const come = group.flatMap((id, nth) => (cached[nth]?.is === "found" ? [[id, cached[nth]] as const] : []));
    const missing = group.filter((_id, nth) => cached[nth]?.is !== "found");
    const loaded =
      missing.length === 0 ? [] : await chunks.load(year, missing, (chunkQuery) => queries.send(reader, chunkQuery));
    return new Map<string, CompanyResult>([...come, ...loaded]);
  };
  const before = group.map((id) => results.get(id)!);
  return before.some((result) => result.is === "failed" && isTrouble(result)) ? probes.run(load) : load();
}

function isOwn({ ids, reader }: FinancialsRead, result: LoadResult): boolean {
  if (result.is === "found") return true;
  if (result.is === "absent") return result.className === reader.className;
  if (result.of === "reader") return result.who === reader.who;
  return result.of !== "chunk" || result.together.every((other) => ids.includes(other));
}

/**
 * Passes an answer that cannot be split on as it is; where it holds other readers' companies, loads the original query.
 */
export async function loadUnsplit(read: FinancialsRead, odd: Failed): Promise<LoadResult> {
  const { ids, queries, reader, query } = read;
  const isOwnAnswer = odd.together.length === ids.length && odd.together.every((id) => ids.includes(id));
  if (isOwnAnswer) return odd;
  const refused = await admitNew(read, ids);
  return refused ?? { ...odd, said: await queries.send(reader, query) };
}
