import type { Sheets } from "./playground";

/** Gives the page Excel's keys: F9 calculates, Ctrl+Alt+F9 calls every function anew as well. */
export function letRecalculate(root: Document, sheets: Pick<Sheets, "recalculate">): void {
  // Capturing: the grid keeps its keys from going further.
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F9") return;
      event.preventDefault();
      sheets.recalculate(event.ctrlKey && event.altKey);
    },
    { capture: true },
  );
}
