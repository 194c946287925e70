import { createScript } from "../../taskpane/pane/ScriptPart";
import type { FindTool } from "../../taskpane/tool";

/** The matching of names in cells with companies. */
export const MATCH: FindTool = {
  id: "match",
  title: { en: "Match", ja: "照合" },
  script: createScript(async () => (await import(/* webpackChunkName: "match" */ "./Match")).Match),
};
