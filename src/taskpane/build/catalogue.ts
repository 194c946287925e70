import type { Ports } from "../../client/ports";
import type { Proposal } from "../Choice";

/** An argument of a formula in functions.json. */
export interface Parameter {
  name: string;
  description: string;
  isRequired: boolean;
  /** Whether it takes a range of cells. */
  isRange: boolean;
  /** Proposed values; other values are accepted too. */
  proposals: readonly Proposal[];
}

/** A formula in functions.json. */
export interface FormulaInfo {
  /** Its name without the namespace, e.g. "RANKING.PAGES". */
  name: string;
  description: string;
  /** Path of its help page, from the root of the add-in. */
  help: string;
  parameters: readonly Parameter[];
}

/** The formulas by name. */
export type Catalogue = ReadonlyMap<string, FormulaInfo>;

/** The members of functions.json that the pane reads. */
interface Metadata {
  functions: {
    id: string;
    description: string;
    helpUrl: string;
    parameters: {
      name: string;
      description: string;
      optional?: boolean;
      dimensionality?: string;
      customEnumId?: string;
    }[];
  }[];
  enums: { id: string; values: { stringValue: string; tooltip?: string }[] }[];
}

/**
 * Loads functions.json, which exists in each language beside the page.
 *
 * @throws Error where it is missing
 */
export async function loadCatalogue(ports: Ports, language: "en" | "ja"): Promise<Catalogue> {
  const file = language === "ja" ? "functions-ja.json" : "functions.json";
  const reply = await ports.fetch(new URL(file, document.baseURI), {});
  if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
  return toCatalogue((await reply.json()) as Metadata);
}

function toCatalogue({ functions, enums }: Metadata): Catalogue {
  const proposals = new Map(enums.map(({ id, values }) => [id, values.map(toProposal)]));
  const formulas = functions.map(({ id, description, helpUrl, parameters }): [string, FormulaInfo] => [
    id,
    {
      name: id,
      description,
      help: new URL(helpUrl).pathname,
      parameters: parameters.map(({ name, description, optional, dimensionality, customEnumId }) => ({
        name,
        description,
        isRequired: optional !== true,
        isRange: dimensionality === "matrix",
        proposals: proposals.get(customEnumId ?? "") ?? [],
      })),
    },
  ]);
  return new Map(formulas);
}

const toProposal = ({ stringValue, tooltip }: Metadata["enums"][number]["values"][number]): Proposal => ({
  value: stringValue,
  ...(tooltip !== undefined && tooltip !== "" && { name: tooltip }),
});
