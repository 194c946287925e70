import { toFaultText } from "../insert";
import type { PaneContext } from "../pane";

/** What a command works with, whoever asked for it. */
export type Desk = Pick<PaneContext, "session" | "workbook" | "texts" | "notify" | "open">;

/** Does something for a person; why it could not stands on top of the pane. Never rejects. */
export async function attempt(desk: Desk, work: (desk: Desk) => Promise<void>): Promise<void> {
  try {
    await work(desk);
  } catch (error) {
    desk.notify({ intent: "error", text: toFaultText(error, desk.texts) });
  }
}
