import type { Ports } from "../../client/ports";
import type { Proposal } from "../Choice";
import { listCatalogueFiles } from "./catalogue-files";

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
  /** The family of data that it is of. */
  family: string;
  /** Its result, in a few words. */
  gives: string;
  description: string;
  /** Path of its help page, from the root of the add-in. */
  help: string;
  parameters: readonly Parameter[];
}

/** The formulas by name, in the order in which they are offered. */
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

/** A family in families.json. */
interface Family {
  title: string;
  formulas: { id: string; gives: string }[];
}

/** Arguments that take TRUE or FALSE. */
export const FLAGS = ["headers", "allindustries", "allmatches"];

const catalogues = new WeakMap<Ports, Promise<Catalogue>>();

/** Gives the formulas in the page's language, loaded once. @throws Error where a file is missing; the next call loads again */
export function loadCatalogue(ports: Ports, language: "en" | "ja"): Promise<Catalogue> {
  const catalogue = catalogues.get(ports) ?? load(ports, language);
  catalogues.set(ports, catalogue);
  catalogue.catch(() => catalogues.delete(ports));
  return catalogue;
}

/**
 * Loads functions.json and the families of the formulas, which exist in each language beside the page.
 *
 * @throws Error where one is missing
 */
async function load(ports: Ports, language: "en" | "ja"): Promise<Catalogue> {
  const read = async (file: string): Promise<unknown> => {
    const reply = await ports.fetch(new URL(file, document.baseURI), {});
    if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
    return reply.json();
  };
  const [metadata, families] = await Promise.all(listCatalogueFiles(language).map(read));
  return toCatalogue(metadata as Metadata, families as Family[]);
}

function toCatalogue({ functions, enums }: Metadata, families: readonly Family[]): Catalogue {
  const proposals = new Map(enums.map(({ id, values }) => [id, values.map(toProposal)]));
  const known = new Map(functions.map((each) => [each.id, each]));
  const toInfo = (id: string, gives: string, family: string): [string, FormulaInfo][] => {
    const found = known.get(id);
    if (found === undefined) return [];
    const { description, helpUrl, parameters } = found;
    const info = { name: id, family, gives, description, help: new URL(helpUrl).pathname };
    return [[id, { ...info, parameters: parameters.map((each) => toParameter(each, proposals)) }]];
  };
  return new Map(
    families.flatMap(({ title, formulas }) => formulas.flatMap(({ id, gives }) => toInfo(id, gives, title))),
  );
}

const toParameter = (
  { name, description, optional, dimensionality, customEnumId }: Metadata["functions"][number]["parameters"][number],
  proposals: ReadonlyMap<string, readonly Proposal[]>,
): Parameter => ({
  name,
  description,
  isRequired: optional !== true,
  isRange: dimensionality === "matrix",
  proposals: proposals.get(customEnumId ?? "") ?? [],
});

const toProposal = ({ stringValue, tooltip }: Metadata["enums"][number]["values"][number]): Proposal => ({
  value: stringValue,
  ...(tooltip !== undefined && tooltip !== "" && { name: tooltip }),
});
