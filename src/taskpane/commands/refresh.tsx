import type { FeedCell } from "../../contract/workbook";
import type { Refreshed } from "../../feed/watch";
import type { Call } from "../../session/calls";
import { readFormulaPlace } from "../addresses";
import { Reason } from "../Reason";
import { Asking } from "./Asking";
import { ensureConnection } from "./connection";
import type { Desk } from "./desk";
import { showPane } from "./office";

/** Asks for everything again that cells show. */
export async function refreshAll(desk: Desk): Promise<void> {
  void showPane();
  await begin(desk, undefined, 0);
}

/** Asks again for what the selected cells show, or those of the shown sheet. */
export async function refreshSome(desk: Desk, scope: "selection" | "sheet"): Promise<void> {
  const { session, workbook, tell, texts } = desk;
  void showPane();
  const cells = await workbook.listFeedCells(scope);
  if (cells.length === 0) {
    tell({ intent: "info", text: texts.ofCommands.nothingToAsk[scope] });
    return;
  }
  const { calls, unknown } = findCalls(session.calls.list(), cells);
  if (calls.length > 0) {
    await begin(desk, calls, unknown);
    return;
  }
  const all = { label: texts.refresh, act: () => void refreshAll(desk) };
  tell({ intent: "warning", text: texts.ofCommands.noneKnown(unknown), actions: [all] });
}

/**
 * The live formulas of cells, by the addresses that the host told when they were entered. Cells with equal formulas
 * share one, which has the address of the first: the others' are unknown, as are those that rows were inserted above.
 */
export function findCalls(live: readonly Call[], cells: readonly FeedCell[]): { calls: Call[]; unknown: number } {
  const wanted = new Set(cells.map(({ sheet, address }) => toKey(sheet, address)));
  const found = live.filter(({ address }) => wanted.has(readKey(address)));
  const known = new Set(found.map(({ address }) => readKey(address)));
  return { calls: found, unknown: wanted.size - known.size };
}

/** The cell of a live formula; a key that no cell has where the host does not say which. */
function readKey(address: string | null): string {
  const place = readFormulaPlace(address);
  return place === null ? "" : toKey(place.sheet, place.address);
}

const toKey = (sheet: string, address: string) => `${sheet}!${address}`.toUpperCase();

/** Says first what would make a refresh look as if nothing had happened. */
async function begin(desk: Desk, calls: readonly Call[] | undefined, unknown: number): Promise<void> {
  const { workbook, tell, texts } = desk;
  const refresh = () => void run(desk, calls, unknown);
  if (await workbook.isManual()) {
    const { manual, refreshAnyway } = texts.ofCommands;
    tell({ intent: "warning", text: manual, actions: [{ label: refreshAnyway, act: refresh }] });
    return;
  }
  await run(desk, calls, unknown);
}

async function run(desk: Desk, calls: readonly Call[] | undefined, unknown: number): Promise<void> {
  const { session, tell, texts } = desk;
  if (!(await ensureConnection(desk, () => void run(desk, calls, unknown)))) return;
  tell({ intent: "info", text: <Asking {...desk} calls={calls} /> });
  const refreshed = await session.refresh(calls);
  if (session.state().status === "disconnected") tell({ intent: "info", text: texts.disconnected });
  else tellOutcome(desk, refreshed, unknown);
}

function tellOutcome({ tell, texts }: Desk, { asked, failures }: Refreshed, unknown: number): void {
  const rest = unknown === 0 ? "" : ` ${texts.ofCommands.someUnknown(unknown)}`;
  if (asked === 0) tell({ intent: "info", text: texts.nothingToRefresh });
  else if (failures.length === 0) tell({ intent: "success", text: `${texts.refreshed(asked)}${rest}` });
  else {
    const text = (
      <>
        {texts.partlyRefreshed(asked, failures.length)}
        {rest}
        <Reason error={failures[0]} texts={texts} />
      </>
    );
    tell({ intent: "warning", text });
  }
}
