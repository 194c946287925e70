import { findCells } from "./cells";
import type { CommandId } from "./commands/command";
import { attempt, type Desk } from "./commands/desk";
import { copyValues, freeze } from "./commands/freeze";
import { openHelp } from "./commands/help";
import { showPane } from "./commands/office";
import { cancelRefresh, refreshAll, refreshErrors, refreshSome, refreshStale } from "./commands/refresh";
import { thaw } from "./commands/thaw";

const WORK: Readonly<Record<CommandId, (desk: Desk) => Promise<void>>> = {
  refreshAll,
  refreshSelection: (desk) => refreshSome(desk, "selection"),
  refreshSheet: (desk) => refreshSome(desk, "sheet"),
  refreshStale,
  refreshErrors,
  cancelRefresh,
  freezeSelection: (desk) => freeze(desk, "selection"),
  freezeSheet: (desk) => freeze(desk, "sheet"),
  freezeWorkbook: (desk) => freeze(desk, "workbook"),
  thawSelection: (desk) => thaw(desk, "selection"),
  thawSheet: (desk) => thaw(desk, "sheet"),
  thawWorkbook: (desk) => thaw(desk, "workbook"),
  copyValues,
  aboutCell: showAboutCell,
  repair,
  help: openHelp,
};

/** Runs a command; its messages, prompts and errors show on top of the pane. Never rejects. */
export const runCommand = (command: CommandId, desk: Desk): Promise<void> => attempt(desk, WORK[command]);

/** Shows the provenance of the selected cell's value. */
export async function showAboutCell({ open }: Desk): Promise<void> {
  void showPane();
  open("activity", { about: "cell" });
}

/** Enters formulas again that Excel no longer calculates, as in a file that was opened without FEED. */
export async function repair({ session, workbook, texts, notify }: Desk): Promise<void> {
  void showPane();
  notify({ intent: "info", text: texts.ofCommands.repairing });
  const { unknown } = await findCells(workbook, session.calls.list(), "workbook");
  const formulas = await workbook.repair(unknown);
  if (formulas === 0) notify({ intent: "info", text: texts.ofCommands.nothingToRepair });
  else notify({ intent: "success", text: texts.ofCommands.repaired(formulas) });
}
