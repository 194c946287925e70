import { createScript } from "../../taskpane/pane/ScriptPart";
import type { SheetTool } from "../../taskpane/tool";

/** The sheets that compare rankings. */
export const RANKED: SheetTool = createScript(
  async () => (await import(/* webpackChunkName: "ranked" */ "./sheets")).RANKED_SHEETS,
);
