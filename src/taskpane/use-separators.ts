import { useSyncExternalStore } from "react";
import { separators, toLocalFormula, withSeparators } from "./separators";

/** Returns what depends on the separators; the component is rendered again once they are known. */
export function useSeparators() {
  useSyncExternalStore(separators.subscribe, separators.known);
  return { toLocalFormula, withSeparators };
}
