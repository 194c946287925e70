import type { FeedCell, Workbook } from "../../contract/workbook";
import type { Call, Shown } from "../../session/calls";
import { readFormulaPlace } from "../addresses";
import { type CellOfCall, findCells } from "../cells";
import { finishInSlices, type Steps } from "../slices";

/** The cells that hold each live formula; each cell's formula belongs to one of them. */
export type FormulaCells = ReadonlyMap<Call, readonly FeedCell[]>;

/** Finds the cells of live formulas; by the host's hints where the workbook cannot be read. Never rejects. */
export async function findFormulaCells(
  workbook: Pick<Workbook, "listFeedCells" | "readSheets">,
  calls: readonly Call[],
): Promise<FormulaCells> {
  try {
    const { pairs } = await findCells(workbook, calls, "workbook");
    return await finishInSlices(assign(pairs));
  } catch {
    // While a cell is being edited, Excel reads nothing; the link to a cell checks its formula.
    return await finishInSlices(assign(calls.flatMap(toHint)));
  }
}

function toHint(call: Call): CellOfCall[] {
  const place = readFormulaPlace(call.address);
  return place === null ? [] : [{ call, cell: { ...place, formula: "", value: null }, isCertain: false }];
}

/** Assigns cells to formulas, a cell a step. */
function* assign(pairs: readonly CellOfCall[]): Steps<FormulaCells> {
  const found = new Map<Call, FeedCell[]>();
  for (const own of groupByCell(pairs)) {
    for (const { call, cell } of own.length === 1 ? own : withoutEqual(own, found)) {
      const others = found.get(call);
      if (others === undefined) found.set(call, [cell]);
      else others.push(cell);
    }
    yield;
  }
  return found;
}

const groupByCell = (pairs: readonly CellOfCall[]): Iterable<CellOfCall[]> => {
  const groups = new Map<FeedCell, CellOfCall[]>();
  for (const pair of pairs) {
    const others = groups.get(pair.cell);
    if (others === undefined) groups.set(pair.cell, [pair]);
    else others.push(pair);
  }
  return groups.values();
};

/** Some hosts run equal formulas as several streams: a cell gets the one with its address, else one without a cell. */
function withoutEqual(pairs: readonly CellOfCall[], found: FormulaCells): CellOfCall[] {
  const chosen = new Map<string, CellOfCall>();
  for (const pair of pairs) {
    const key = JSON.stringify([pair.call.name, pair.call.given]);
    const before = chosen.get(key);
    if (before === undefined || toRank(pair, found) > toRank(before, found)) chosen.set(key, pair);
  }
  return [...chosen.values()];
}

function toRank({ call, cell }: CellOfCall, found: FormulaCells): number {
  const place = readFormulaPlace(call.address);
  if (place?.sheet === cell.sheet && place.address === cell.address) return 2;
  return found.has(call) ? 0 : 1;
}

/** The present output of each formula, one a step. */
export function* readOutputs(calls: readonly Call[]): Steps<ReadonlyMap<Call, Shown | null>> {
  const outputs = new Map<Call, Shown | null>();
  for (const call of calls) {
    outputs.set(call, call.shown);
    yield;
  }
  return outputs;
}
