import type { FeedCell } from "../../contract/workbook";
import { findCells } from "../cells";
import type { Desk } from "./desk";
import { namePlaces } from "./freeze";
import { showPane } from "./office";

/** Enters formulas again that Excel no longer calculates, as in a file that was opened without FEED. */
export async function repair({ session, workbook, texts, notify }: Desk): Promise<void> {
  const { repairing, nothingToRepair, repaired, undetermined: leftAlone } = texts.ofCommands;
  void showPane();
  notify({ intent: "info", text: repairing });
  const { unknown, undetermined } = await findCells(workbook, session.calls.list(), "workbook");
  const uncertain = new Set(undetermined);
  const formulas = await workbook.repair(unknown.filter((cell) => !uncertain.has(cell)));
  const left = undetermined.filter(isSilent);
  const done = formulas > 0 ? [repaired(formulas)] : [];
  if (left.length > 0) {
    notify({ intent: "warning", text: [...done, leftAlone(left.length, ...namePlaces(left))].join(" ") });
  } else if (formulas > 0) notify({ intent: "success", text: done.join(" ") });
  else notify({ intent: "info", text: nothingToRepair });
}

/** Whether a cell shows what Excel leaves where a formula has no stream; a wrong argument shows the same. */
const isSilent = ({ value }: FeedCell) => value === "#VALUE!" || value === "#BUSY!";
