import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A formula as its source declares it to Excel. */
export interface Signature {
  /** As typed after "FEED.", such as "RANKING.PAGES". */
  name: string;
  parameters: { name: string; isOptional: boolean }[];
}

const FUNCTIONS = join(__dirname, "../../src/functions");
const TAGGED = /@customfunction ([A-Z.]+)([\s\S]*?)\*\//g;
const PARAMETER = /@param (\[?)(\w+)/g;

/** Reads every tagged formula of the sources. */
export function readSignatures(): Signature[] {
  const files = readdirSync(FUNCTIONS).filter((file) => file.endsWith(".ts"));
  const texts = files.map((file) => readFileSync(join(FUNCTIONS, file), "utf8"));
  return texts
    .flatMap((text) => [...text.matchAll(TAGGED)])
    .map(([, name = "", tags = ""]) => ({ name, parameters: readParameters(tags) }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

function readParameters(tags: string): Signature["parameters"] {
  const parameters = [...tags.matchAll(PARAMETER)].map(([, bracket, name = ""]) => ({
    name,
    isOptional: bracket === "[",
  }));
  return parameters.filter(({ name }) => name !== "invocation");
}
