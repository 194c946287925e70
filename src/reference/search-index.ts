import { ERRORS, type FeedCode } from "../client/errors";
import { CURES } from "../feed/cures";
import { type DocumentPage, toFolder } from "./documents";
import { FORMULAS } from "./formulas";
import { listGuides } from "./index-page";
import type { FunctionMetadata } from "./metadata";
import { HEADINGS, type Language } from "./texts";
import { CONFUSIONS, ERRORS_FILE, WHICH_FILE } from "./topic-pages";

/** A part of a page that the search finds; search.ts reads the same. */
export interface SearchEntry {
  /** Its address below the index page. */
  page: string;
  title: string;
  heading: string;
  text: string;
}

/** Lists what the search of a language finds. */
export function createSearchIndex(
  functions: readonly FunctionMetadata[],
  documents: readonly DocumentPage[],
  language: Language,
): SearchEntry[] {
  return [
    ...functions.map((metadata) => toFormulaEntry(metadata, language)),
    ...(Object.keys(ERRORS) as FeedCode[]).map((code) => toErrorEntry(code, language)),
    toChoiceEntry(language),
    ...listGuides(documents, language).flatMap((page) => toDocumentEntries(page, language)),
  ];
}

function toFormulaEntry({ id, name, description, parameters }: FunctionMetadata, language: Language): SearchEntry {
  const title = `FEED.${name}`;
  const reference = FORMULAS.get(id);
  const texts = [
    description,
    reference?.gives[language],
    reference?.want[language],
    ...parameters.map((parameter) => `${parameter.name}: ${parameter.description ?? ""}`),
    ...(reference?.examples ?? []).map(({ shows }) => shows[language]),
    ...(reference?.fields ?? []).map((field) => field.name),
  ];
  return { page: `${id}.html`, title, heading: title, text: texts.filter(Boolean).join(" ") };
}

function toErrorEntry(code: FeedCode, language: Language): SearchEntry {
  const title = HEADINGS.allErrors[language];
  const text = `${ERRORS[code].cell} ${CURES[code][language]}`;
  return { page: `${ERRORS_FILE}#${code}`, title, heading: code, text };
}

function toChoiceEntry(language: Language): SearchEntry {
  const title = HEADINGS.which[language];
  const texts = [
    ...[...FORMULAS].map(([id, { want }]) => `${want[language]}: ${id}`),
    ...CONFUSIONS.map((each) => `${each.title[language]} ${each.text[language]}`),
  ];
  return { page: WHICH_FILE, title, heading: title, text: texts.join(" ") };
}

const toDocumentEntries = ({ source, title, sections }: DocumentPage, language: Language): SearchEntry[] =>
  sections.map(({ heading, place, text }) => {
    const page = `${toFolder(language, source.language)}${source.file}#${place}`;
    return { page, title, heading, text };
  });
