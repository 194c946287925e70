import type { MadeSheet } from "../../session/settings";
import { toSheetKey } from "./alert";
import { readAlertStore } from "./store";

/** Ends the rules of sheets that are followed no more: later ones may have their names. Alerts stay, as they were told. */
export async function endRules(sheets: readonly MadeSheet[], store = readAlertStore()): Promise<void> {
  const ended = new Set(sheets.map(toSheetKey));
  const all = Object.entries(store.state().rules);
  const rules = Object.fromEntries(all.filter(([sheet]) => !ended.has(sheet)));
  if (Object.keys(rules).length < all.length) await store.change({ rules });
}
