import type { CommandId } from "./commands/command";
import { attempt, type Desk } from "./commands/desk";
import { copyValues, freeze } from "./commands/freeze";
import { openHelp } from "./commands/help";
import { showPane } from "./commands/office";
import { cancelRefresh, refreshAll, refreshErrors, refreshSome, refreshStale } from "./commands/refresh";
import { repair } from "./commands/repair";
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
  async checkModel({ open }) {
    void showPane();
    open("changes", { about: "check" });
  },
  repair,
  help: openHelp,
};

/** Runs a command; its messages, prompts and errors show on top of the pane. Never rejects. */
export const runCommand = (command: CommandId, desk: Desk): Promise<void> => attempt(desk, WORK[command]);

/** Shows the provenance of the selected cell's value. */
export async function showAboutCell({ open }: Desk): Promise<void> {
  void showPane();
  open("cell", { about: "cell" });
}
