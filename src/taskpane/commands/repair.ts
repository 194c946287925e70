import type { Desk } from "./desk";
import { showPane } from "./office";

/** Repairs formulas that show #NAME?, as in a file that was opened without FEED. */
export async function repairNames({ workbook, texts, notify }: Desk): Promise<void> {
  void showPane();
  notify({ intent: "info", text: texts.ofCommands.repairing });
  const formulas = await workbook.repair();
  if (formulas === 0) notify({ intent: "info", text: texts.ofCommands.nothingToRepair });
  else notify({ intent: "success", text: texts.ofCommands.repaired(formulas) });
}
