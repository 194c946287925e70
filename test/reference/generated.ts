import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateCustomFunctionsMetadata } from "custom-functions-metadata";
import { createReference, DOCUMENT_PATHS } from "../../src/reference";
import type { FunctionsMetadata } from "../../src/reference/metadata";

const ROOT = join(__dirname, "../..");
const FUNCTIONS = join(ROOT, "src/functions");

export const ORIGIN = "https://localhost:3000";

/** Reads the generator's output for the formulas' sources, as the build does. */
export async function readGenerated(): Promise<FunctionsMetadata> {
  const names = readdirSync(FUNCTIONS).filter((name) => name.endsWith(".ts"));
  const files = names.map((name) => join(FUNCTIONS, name));
  const formulas = files.filter((file) => readFileSync(file, "utf8").includes("@customfunction"));
  const { metadataJson, errors } = await generateCustomFunctionsMetadata(formulas);
  if (errors.length > 0) throw new Error(errors.join("\n"));
  return JSON.parse(metadataJson);
}

/** Everything the build writes about the formulas, by path. */
export const createFiles = (generated: FunctionsMetadata): Record<string, string> =>
  createReference(generated, ORIGIN, readDocuments());

const readDocuments = (): Record<string, string> =>
  Object.fromEntries(
    DOCUMENT_PATHS.filter((path) => existsSync(join(ROOT, path))).map((path) => [
      path,
      readFileSync(join(ROOT, path), "utf8"),
    ]),
  );
