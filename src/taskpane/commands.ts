import type { CommandId } from "./commands/command";
import type { Desk } from "./commands/desk";
import { freeze } from "./commands/freeze";
import { openHelp } from "./commands/help";
import { refreshAll, refreshSome } from "./commands/refresh";
import { repairNames } from "./commands/repair";
import { thaw } from "./commands/thaw";
import { toFaultText } from "./insert";

const WORK: Readonly<Record<CommandId, (desk: Desk) => Promise<void>>> = {
  refreshAll,
  refreshSelection: (desk) => refreshSome(desk, "selection"),
  freezeSelection: (desk) => freeze(desk, "selection"),
  freezeSheet: (desk) => freeze(desk, "sheet"),
  freezeWorkbook: (desk) => freeze(desk, "workbook"),
  thawSelection: (desk) => thaw(desk, "selection"),
  thawSheet: (desk) => thaw(desk, "sheet"),
  thawWorkbook: (desk) => thaw(desk, "workbook"),
  repairNames,
  help: openHelp,
};

/** Does what a command says; what it has to say or ask, and why it could not, stands on top of the pane. Never rejects. */
export async function runCommand(command: CommandId, desk: Desk): Promise<void> {
  try {
    await WORK[command](desk);
  } catch (error) {
    desk.tell({ intent: "error", text: toFaultText(error, desk.texts) });
  }
}
