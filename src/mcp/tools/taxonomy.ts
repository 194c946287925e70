import { toFormula } from "../formula-text";
import { COMPANY, COUNTRY, PAGE, type Page, toTextSchema } from "../schemas";
import type { Tool } from "../tool";
import { toInvalid } from "../tool-error";
import { readTable, refuseOthers } from "./table";

interface Given extends Page {
  list: keyof typeof LISTS;
  level?: "sector" | "subSector" | "industry";
  node?: string;
  company?: string;
  country?: string;
  type?: "PUBLIC" | "PRIVATE" | "ALL";
}

/** Each list's formula, and its arguments by their names here. */
const LISTS = {
  tree: ["TAXONOMY", "level", "node"],
  classification: ["CLASSIFICATION", "company"],
  peers: ["PEERS", "company", "level", "country", "type"],
  constituents: ["CONSTITUENTS", "node", "country", "type"],
  universe: ["UNIVERSE", "country", "type"],
} as const;

/** Lists sectors and industries, and the companies in them. */
export const taxonomy: Tool<Given> = {
  name: "list_taxonomy",
  description:
    "Sectors and industries (tree), those of a company (classification), companies like it (peers), of a node (constituents) or of a country (universe).",
  properties: {
    list: { enum: Object.keys(LISTS) },
    level: { enum: ["sector", "subSector", "industry"], description: "Of tree and peers; default industry" },
    node: toTextSchema("Id of tree, for constituents or the branch of a tree", 100),
    company: { ...COMPANY, description: "For classification and peers" },
    country: COUNTRY,
    type: { enum: ["PUBLIC", "PRIVATE", "ALL"] },
    ...PAGE,
  },
  required: ["list"],
  async run({ list, offset: _, limit: __, ...given }, work) {
    const [name, ...taken] = LISTS[list];
    const [first] = taken;
    refuseOthers(list, given, taken);
    const isMissing = (first === "company" || first === "node") && given[first] === undefined;
    if (isMissing) throw toInvalid(`list "${list}" needs ${first}`, `give ${first}`);
    const wanted: Partial<Given> = { country: "JPN", ...given };
    const values = taken.map((each) => wanted[each]);
    return readTable(`Taxonomy, ${list}`, toFormula(name, values), work);
  },
};
