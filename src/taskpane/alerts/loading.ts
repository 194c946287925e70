import type { MadeSheet } from "../../session/settings";
import type { MovedSheet } from "./moved-sheets";
import type { WatchOptions } from "./watch";

/** Judges the rules of sheets by a script of its own; returns a function that moves rules with their sheets. */
export function loadAlerts(options: WatchOptions): (moved: readonly MovedSheet[]) => void {
  const script = import(/* webpackChunkName: "alerts" */ "./watch").then(
    ({ watchAlerts }) => watchAlerts(options),
    () => null, // without the script, the next opening judges them
  );
  return (moved) => void script.then((move) => move?.(moved));
}

/** Ends the rules of sheets that are followed no more. */
export async function endRules(sheets: readonly MadeSheet[]): Promise<void> {
  const { endRules: end } = await import(/* webpackChunkName: "alerts" */ "./ended-rules");
  await end(sheets);
}
