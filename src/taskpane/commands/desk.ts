import type { PaneContext } from "../pane";

/** What a command works with, whoever asked for it. */
export type Desk = Pick<PaneContext, "session" | "workbook" | "texts" | "notify" | "open">;
