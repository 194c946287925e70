import { COMPANY_FORMULAS } from "./companies";
import { FINANCIAL_FORMULAS } from "./financials";
import type { FormulaReference } from "./formula";
import { NAME_FORMULAS } from "./names";
import { RANKING_FORMULAS } from "./rankings";
import { STATUS_FORMULAS } from "./status";
import { TAXONOMY_FORMULAS } from "./taxonomies";
import type { Text } from "./texts";

/** The formulas by family, in the order in which they are listed. */
export const FORMULA_FAMILIES: readonly { title: Text; formulas: Readonly<Record<string, FormulaReference>> }[] = [
  { title: { en: "Financials", ja: "財務" }, formulas: FINANCIAL_FORMULAS },
  { title: { en: "Companies", ja: "企業" }, formulas: { ...COMPANY_FORMULAS, ...NAME_FORMULAS } },
  { title: { en: "Industries", ja: "産業分類" }, formulas: TAXONOMY_FORMULAS },
  { title: { en: "Rankings", ja: "ランキング" }, formulas: RANKING_FORMULAS },
  { title: { en: "The add-in itself", ja: "アドイン" }, formulas: STATUS_FORMULAS },
];

/** The reference of each formula, by its id. */
export const FORMULAS: ReadonlyMap<string, FormulaReference> = new Map(
  FORMULA_FAMILIES.flatMap(({ formulas }) => Object.entries(formulas)),
);
