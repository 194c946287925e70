import { FORMULA_FAMILIES, FORMULAS } from "./formulas";
import { createFrame, createTable, html, INDEX_FILE } from "./frame";
import { completeMetadata, type FunctionMetadata, type FunctionsMetadata, toPagePath } from "./metadata";
import { createPage, toSignature } from "./page";
import { HEADINGS, type Language } from "./texts";

/**
 * Creates every file about the formulas.
 *
 * @param generated metadata that the generator read from the formulas' sources
 * @param origin the pages' origin, such as "https://localhost:3000"
 * @returns texts by path below the pages' origin
 */
export function createReference(generated: FunctionsMetadata, origin: string): Record<string, string> {
  const english = completeMetadata(generated, "en", origin);
  const japanese = completeMetadata(generated, "ja", origin);
  return {
    "functions.json": toJson(english),
    "functions-ja.json": toJson(japanese),
    "reference/examples.json": toJson(listExamples(english)),
    ...createPages(english, "en"),
    ...createPages(japanese, "ja"),
  };
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The examples by formula, for the playground. */
const listExamples = ({ functions }: FunctionsMetadata) =>
  Object.fromEntries(functions.map(({ id }) => [id, FORMULAS.get(id)?.examples ?? []]));

function createPages({ functions }: FunctionsMetadata, language: Language): Record<string, string> {
  const listed = listInOrder(functions);
  const ids = listed.map(({ id }) => id);
  const pages = listed.map((metadata) => {
    const reference = FORMULAS.get(metadata.id);
    if (reference === undefined) throw new Error(`src/reference says nothing about ${metadata.id}.`);
    return [toPagePath(metadata.id, language), createPage({ metadata, reference, language, ids })];
  });
  return { ...Object.fromEntries(pages), [toPagePath("index", language)]: createIndex(listed, language) };
}

/** Sorts the formulas by family; one without a family comes last, and fails as undocumented. */
function listInOrder(functions: readonly FunctionMetadata[]): readonly FunctionMetadata[] {
  const order = [...FORMULAS.keys()];
  return functions.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

function createIndex(functions: readonly FunctionMetadata[], language: Language): string {
  const headings = [HEADINGS.formula, HEADINGS.gives, HEADINGS.requests].map((heading) => heading[language]);
  const families = FORMULA_FAMILIES.map(({ title, formulas }) => {
    const rows = functions.flatMap((metadata) => {
      const reference = formulas[metadata.id];
      if (reference === undefined) return [];
      const link = html`<a href="${metadata.id}.html"><code>${toSignature(metadata)}</code></a>`;
      return [[link, html`${reference.gives[language]}`, html`${reference.requests[language]}`]];
    });
    return rows.length === 0 ? html`` : html`<h2>${title[language]}</h2>${createTable(headings, rows)}`;
  });
  const title = HEADINGS.title[language];
  const main = html`<h1>${title}</h1><p class="lead">${HEADINGS.intro[language]}</p>${families}`;
  return createFrame({ title, file: INDEX_FILE, language, main });
}
