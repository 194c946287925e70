import { createScript } from "../../taskpane/pane/ScriptPart";
import type { ChangesTool } from "../../taskpane/tool";

/** The check of the model. */
export const CHECK: ChangesTool = {
  id: "check",
  title: { en: "Check the model", ja: "モデルの検査" },
  hint: {
    en: "Looks through all formulas for mixed currencies, units and years, typed numbers, and totals that leave something out. It sends no request.",
    ja: "すべての数式について、通貨・単位・年度の混在、手入力の数値、合計の漏れなどを調べます。データは取得しません。",
  },
  begin: { en: "Check", ja: "検査" },
  script: createScript(async () => (await import(/* webpackChunkName: "model-check" */ "./Check")).Check),
};
