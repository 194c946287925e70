import { createDocumentPages, DOCUMENTS, type DocumentPage } from "./documents";
import { FORMULA_FAMILIES, FORMULAS } from "./formulas";
import { createErrorsPage, createIndex, createSearchIndex } from "./index-page";
import { createLegalPages } from "./legal";
import { createLlms } from "./llms";
import { createMarkdown } from "./markdown";
import { completeMetadata, type FunctionMetadata, type FunctionsMetadata, toPagePath } from "./metadata";
import { createPage } from "./page";
import { createSkill, SKILL_SOURCE } from "./skill";
import type { Language } from "./texts";

/** The Markdown files that createReference needs. */
export const DOCUMENT_PATHS: readonly string[] = [...DOCUMENTS.map(({ path }) => path), SKILL_SOURCE];

/**
 * Creates every file about the formulas, and the documents' pages beside them.
 *
 * @param generated metadata that the generator read from the formulas' sources
 * @param origin the pages' origin, such as "https://localhost:3000"
 * @param documents the documents' Markdown, by path in the project
 * @returns texts by path below the pages' origin
 */
export function createReference(
  generated: FunctionsMetadata,
  origin: string,
  documents: Readonly<Record<string, string>>,
): Record<string, string> {
  const english = completeMetadata(generated, "en", origin);
  const japanese = completeMetadata(generated, "ja", origin);
  const pages = createDocumentPages(documents);
  const listed = listInOrder(english.functions);
  const { [SKILL_SOURCE]: skill } = documents;
  return {
    "functions.json": toJson(english),
    "functions-ja.json": toJson(japanese),
    "reference/families.json": toJson(listFamilies("en")),
    "reference/ja/families.json": toJson(listFamilies("ja")),
    ...createPages(english, pages, "en"),
    ...createPages(japanese, pages, "ja"),
    ...Object.fromEntries(pages.map(({ source, html }) => [toPath(source.file, source.language), html])),
    "reference/llms.txt": createLlms(listed, pages, skill !== undefined),
    ...(skill !== undefined && { "reference/skill.md": createSkill(skill, listed) }),
  };
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The path of a page below the pages' origin. */
const toPath = (file: string, language: Language): string =>
  language === "en" ? `reference/${file}` : `reference/${language}/${file}`;

/** The families with the result of each formula, for the pane's choice. */
const listFamilies = (language: Language) =>
  FORMULA_FAMILIES.map(({ title, formulas }) => ({
    title: title[language],
    formulas: Object.entries(formulas).map(([id, { gives }]) => ({ id, gives: gives[language] })),
  }));

function createPages(
  { functions }: FunctionsMetadata,
  documents: readonly DocumentPage[],
  language: Language,
): Record<string, string> {
  const listed = listInOrder(functions);
  const ids = listed.map(({ id }) => id);
  const pages = listed.flatMap((metadata) => {
    const reference = FORMULAS.get(metadata.id);
    if (reference === undefined) throw new Error(`src/reference says nothing about ${metadata.id}.`);
    const source = { metadata, reference, language };
    return [
      [toPagePath(metadata.id, language), createPage({ ...source, ids })],
      [toPath(`${metadata.id}.md`, language), createMarkdown(source)],
    ];
  });
  const legal = Object.entries(createLegalPages(language)).map(([name, text]) => [toPagePath(name, language), text]);
  return {
    ...Object.fromEntries([...pages, ...legal]),
    [toPath("index.html", language)]: createIndex(listed, documents, language),
    [toPath("errors.html", language)]: createErrorsPage(language),
    [toPath("search.json", language)]: JSON.stringify(createSearchIndex(listed, documents, language)),
  };
}

/** Sorts the formulas by family; one without a family comes last, and fails as undocumented. */
function listInOrder(functions: readonly FunctionMetadata[]): readonly FunctionMetadata[] {
  const order = [...FORMULAS.keys()];
  return functions.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}
