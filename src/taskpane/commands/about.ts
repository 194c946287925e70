import type { Desk } from "./desk";
import { showPane } from "./office";

/** Shows what stands behind the value of the selected cell. */
export async function showAboutCell({ open }: Desk): Promise<void> {
  void showPane();
  open("activity", { about: "cell" });
}
