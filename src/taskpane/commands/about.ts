import type { Desk } from "./desk";
import { showPane } from "./office";

/** Shows the provenance of the selected cell's value. */
export async function showAboutCell({ open }: Desk): Promise<void> {
  void showPane();
  open("activity", { about: "cell" });
}
