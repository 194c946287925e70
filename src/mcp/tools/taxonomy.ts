import { toFormula } from "../formula-text";
import { COMPANY, COUNTRY, PAGE, toTextSchema } from "../schemas";
import type { Tool } from "../tool";
import { toInvalid } from "../tool-error";
import { readTable } from "./table";

interface Given {
  list: "tree" | "classification" | "peers" | "constituents" | "universe";
  level?: "sector" | "subSector" | "industry";
  node?: string;
  company?: string;
  country?: string;
  type?: "PUBLIC" | "PRIVATE" | "ALL";
}

/** Lists sectors and industries, and the companies in them. */
export const taxonomy: Tool<Given> = {
  name: "list_taxonomy",
  description:
    "Sectors and industries (tree), those of a company (classification), companies like it (peers), of a node (constituents) or of a country (universe).",
  properties: {
    list: { enum: ["tree", "classification", "peers", "constituents", "universe"] },
    level: { enum: ["sector", "subSector", "industry"], description: "Of tree and peers; default industry" },
    node: toTextSchema("Id of tree, for constituents or the branch of a tree", 100),
    company: { ...COMPANY, description: "For classification and peers" },
    country: COUNTRY,
    type: { enum: ["PUBLIC", "PRIVATE", "ALL"] },
    ...PAGE,
  },
  required: ["list"],
  run: async (given, work) => readTable(`Taxonomy, ${given.list}`, writeFormula(given), work),
};

function writeFormula(given: Given): string {
  const { list, level, node, country, type } = given;
  const need = (name: "node" | "company"): string => {
    const value = given[name];
    if (value !== undefined) return value;
    throw toInvalid(`list "${list}" needs ${name}`, `give ${name}`);
  };
  switch (list) {
    case "tree":
      return toFormula("TAXONOMY", [level, node]);
    case "classification":
      return toFormula("CLASSIFICATION", [need("company")]);
    case "peers":
      return toFormula("PEERS", [need("company"), level, country, type]);
    case "constituents":
      return toFormula("CONSTITUENTS", [need("node"), country ?? "JPN", type]);
    case "universe":
      return toFormula("UNIVERSE", [country ?? "JPN", type]);
  }
}
