import type { Catalogue, FormulaInfo } from "./catalogue";

const FAMILIES = {
  financials: ["FINANCIAL", "FINANCIALS"],
  companies: ["COMPANY", "COMPANIES", "FIND", "ID"],
  rankings: ["RANKING", "RANKING.PAGES", "RANKING.INDUSTRIES"],
  taxonomies: ["CLASSIFICATION", "CONSTITUENTS", "PEERS", "UNIVERSE", "TAXONOMY"],
} as const;

type FormulaFamily = keyof typeof FAMILIES | "addin";

/** Lists the formulas by family; one that belongs to none is of the add-in itself. */
export function listFamilies(catalogue: Catalogue): { family: FormulaFamily; formulas: FormulaInfo[] }[] {
  const left = new Map(catalogue);
  const families = Object.entries(FAMILIES).map(([family, names]) => {
    const formulas = names.flatMap((name) => catalogue.get(name) ?? []);
    for (const { name } of formulas) left.delete(name);
    return { family: family as FormulaFamily, formulas };
  });
  return [...families, { family: "addin" as const, formulas: [...left.values()] }];
}
