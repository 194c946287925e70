import type { Workbook } from "../../../contract/workbook";
import type { QueryCache } from "../../../feed/query-cache";
import type { Call } from "../../../session/calls";
import { type LiveCall, readLiveCalls } from "../../activity/live-calls";
import { needsCorrection } from "../../activity/query-facts";
import { type FormulaCells, findFormulaCells, readOutputs } from "../../cells/formula-cells";
import { finishInSlices, type Steps } from "../../slices";

/** A refresh's result by the formulas of cells. */
export interface RefreshReport {
  /** Number of formulas whose answers were all refetched. */
  refreshed: number;
  /** Those with an answer that could not be refetched. */
  failed: readonly LiveCall[];
  /** Those that a person has to correct: no refresh has failed by them. */
  wrong: readonly LiveCall[];
  cells: FormulaCells;
}

/** Reads what a refresh brought the formulas that it was for. */
export async function readReport(
  workbook: Pick<Workbook, "listFeedCells" | "readSheets">,
  queryCache: Pick<QueryCache, "find">,
  calls: readonly Call[],
): Promise<RefreshReport> {
  const outputs = await finishInSlices(readOutputs(calls));
  const cells = await findFormulaCells(workbook, calls);
  const { calls: all, wrong } = await finishInSlices(readLiveCalls(calls, queryCache, undefined, { cells, outputs }));
  return { ...(await finishInSlices(sort(all, queryCache))), wrong, cells };
}

function* sort(
  all: readonly LiveCall[],
  queryCache: Pick<QueryCache, "find">,
): Steps<Pick<RefreshReport, "refreshed" | "failed">> {
  const failed: LiveCall[] = [];
  let refreshed = 0;
  for (const live of all) {
    yield;
    if (live.call.queries.length === 0) continue;
    const errors = listErrors(live.call, queryCache);
    if (errors.length === 0) refreshed++;
    else if (!errors.every(needsCorrection)) failed.push(live);
  }
  return { refreshed, failed };
}

/** The errors of a formula's queries. */
function listErrors({ queries }: Call, queryCache: Pick<QueryCache, "find">): unknown[] {
  return queries.flatMap((query) => {
    const state = queryCache.find(query)?.state;
    return state === undefined || state.status === "pending" || state.error === null ? [] : [state.error];
  });
}
