import type { Ports } from "../../client/ports";
import type { Proposal } from "../Choice";

/** An argument of a formula, as Excel is told of it. */
export interface Parameter {
  name: string;
  description: string;
  isRequired: boolean;
  /** Whether it takes a range of cells. */
  isRange: boolean;
  /** What it may be; other values are taken as well. */
  proposals: readonly Proposal[];
}

/** A formula, as Excel is told of it. */
export interface FormulaInfo {
  /** Its name without the namespace, e.g. "RANKING.PAGES". */
  name: string;
  description: string;
  /** Path of its page of help, from the root of the add-in. */
  help: string;
  parameters: readonly Parameter[];
}

/** The formulas by name. */
export type Catalogue = ReadonlyMap<string, FormulaInfo>;

/** What is taken from the files that Excel reads. */
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
 * Loads what Excel is told of the formulas: it lies beside the page, in each of the two languages.
 *
 * @throws Error where it does not
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
