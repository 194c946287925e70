import { createScript } from "../../taskpane/pane/ScriptPart";
import type { BuildTool } from "../../taskpane/tool";

/** The part that turns typed numbers into formulas. */
export const ADOPT: BuildTool = {
  id: "adopt",
  title: { en: "Turn typed numbers into formulas", ja: "入力済みの数値を数式に変換" },
  script: createScript(async () => (await import(/* webpackChunkName: "adopt" */ "./Adopt")).Adopt),
};
