import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A formula as its source declares it to Excel. */
export interface Signature {
  /** As typed after "FEED.", such as "RANKING.PAGES". */
  name: string;
  parameters: { name: string; isOptional: boolean }[];
  /** Its source, and the function there. */
  file: string;
  implementation: string;
}

const FUNCTIONS = join(__dirname, "../../src/functions");
const TAGGED = /@customfunction ([A-Z.]+)([\s\S]*?)\*\/\s*export function (\w+)\(/g;
const PARAMETER = /@param (\[?)(\w+)/g;

export function readSignatures(): Signature[] {
  const names = readdirSync(FUNCTIONS).filter((name) => name.endsWith(".ts"));
  return names
    .map((name) => join(FUNCTIONS, name))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(TAGGED)].map(([, name = "", tags = "", implementation = ""]) => ({
        ...{ name, parameters: readParameters(tags), file, implementation },
      })),
    )
    .sort((one, other) => one.name.localeCompare(other.name));
}

function readParameters(tags: string): Signature["parameters"] {
  const parameters = [...tags.matchAll(PARAMETER)].map(([, bracket, name = ""]) => ({
    name,
    isOptional: bracket === "[",
  }));
  return parameters.filter(({ name }) => name !== "invocation");
}
