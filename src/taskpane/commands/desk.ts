import { toFaultText } from "../insert";
import type { PaneContext } from "../pane";

/** The parts of the pane that commands use. */
export type Desk = Pick<PaneContext, "session" | "workbook" | "texts" | "notify" | "open">;

/** Does some work and shows its error on top of the pane. Never rejects. */
export async function attempt<P extends Pick<PaneContext, "notify" | "texts">>(
  pane: P,
  work: (pane: P) => Promise<void>,
): Promise<void> {
  try {
    await work(pane);
  } catch (error) {
    pane.notify({ intent: "error", text: toFaultText(error, pane.texts) });
  }
}
