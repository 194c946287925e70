import type { TreeNode } from "../../feed/taxonomies/tree";
import { toFormulaText } from "../formula-text";

/** Writes the company's revenue of its latest year. */
export const toRevenue = (companyId: string): string => toText("FINANCIAL", [companyId, "FY0", "Revenue"]);

/**
 * Writes the companies of a company's own industry.
 *
 * @param country where they are; null for the country of the settings
 */
export const toPeers = (companyId: string, country: string | null): string =>
  toText("PEERS", country === null ? [companyId] : [companyId, "industry", country]);

/** Writes the companies below a node of the taxonomy, whose level is written since levels may share an id. */
export const toConstituents = ({ level, id }: Pick<TreeNode, "level" | "id">, country: string): string =>
  toText("CONSTITUENTS", [`${level}:${id}`, country]);

const toText = (name: string, given: readonly string[]): string =>
  toFormulaText({ name, given: given.map((value) => ({ kind: "text", value })) });
