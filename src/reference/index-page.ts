import { ERRORS, type FeedCode } from "../client/errors";
import { CURES } from "../feed/cures";
import { type DocumentPage, toFolder, toLanguages } from "./documents";
import { FORMULA_FAMILIES, FORMULAS } from "./formulas";
import { createFrame, createTable, ERRORS_FILE, html, INDEX_FILE, type Markup } from "./frame";
import { createLegalLinks } from "./legal";
import type { FunctionMetadata } from "./metadata";
import { createErrorTable, toSignature } from "./page";
import { HEADINGS, type Language, type Text } from "./texts";

/**
 * Creates the page that lists everything, with the search.
 * @param functions the formulas in the order in which they are listed
 */
export function createIndex(
  functions: readonly FunctionMetadata[],
  documents: readonly DocumentPage[],
  language: Language,
): string {
  const title = HEADINGS.title[language];
  const main = html`<h1>${title}</h1><p class="lead">${HEADINGS.intro[language]}</p>
${createSearch(language)}
<h2>${HEADINGS.guides[language]}</h2>
${createGuides(documents, language)}
${createFamilies(functions, language)}
${createConfusions(language)}
${createRequests(language)}
${createLegalLinks(language)}`;
  return createFrame({ title, file: INDEX_FILE, language, main });
}

/** Hidden until its script runs. */
const createSearch = (
  language: Language,
): Markup => html`<form role="search" id="search" data-index="search.json" hidden>
<label for="query">${HEADINGS.search[language]}</label>
<input id="query" type="search" autocomplete="off">
<output for="query" data-unit="${HEADINGS.found[language]}"></output>
<ol class="results"></ol>
</form>`;

function createGuides(documents: readonly DocumentPage[], language: Language): Markup {
  const errors = html`<li><a href="${ERRORS_FILE}">${HEADINGS.allErrors[language]}</a></li>`;
  const groups = (["analysts", "it", "developers"] as const).map((readers) => {
    const pages = listGuides(documents, language).filter(({ source }) => source.readers === readers);
    const items = pages.map(
      ({ source, title }) =>
        html`<li><a href="${toFolder(language, source.language)}${source.file}">${title}${source.language === language ? html`` : HEADINGS.inEnglish[language]}</a></li>`,
    );
    const all = readers === "analysts" ? [...items, errors] : items;
    return html`<section><h3>${HEADINGS[readers][language]}</h3><ul>${all}</ul></section>`;
  });
  return html`<div class="guides">${groups}</div>`;
}

/** The documents of a language, then the English ones that it lacks. */
const listGuides = (documents: readonly DocumentPage[], language: Language): DocumentPage[] =>
  documents
    .filter(({ source }) => source.language === language || !toLanguages(source.file).includes(language))
    .toSorted((one, other) => Number(other.source.language === language) - Number(one.source.language === language));

function createFamilies(functions: readonly FunctionMetadata[], language: Language): Markup {
  const headings = [HEADINGS.formula, HEADINGS.gives].map((heading) => heading[language]);
  const families = FORMULA_FAMILIES.map(({ title, formulas }) => {
    const rows = functions.flatMap((metadata) => {
      const reference = formulas[metadata.id];
      if (reference === undefined) return [];
      const link = html`<a href="${metadata.id}.html"><code>${toSignature(metadata)}</code></a>`;
      return [[link, html`${reference.gives[language]}`]];
    });
    return rows.length === 0 ? html`` : html`<h2>${title[language]}</h2>${createTable(headings, rows)}`;
  });
  return html`${families}`;
}

/** The table of costs: formulas with the same cost share a row. */
function createRequests(language: Language): Markup {
  const rows = listRequests(language).map(([ids, cost]) => [
    html`<code>${ids.map((id) => `FEED.${id}`).join(", ")}</code>`,
    html`${cost}`,
  ]);
  const headings = [HEADINGS.formula, HEADINGS.requests].map((heading) => heading[language]);
  return html`<h2 id="requests">${HEADINGS.requests[language]}</h2>${createTable(headings, rows)}`;
}

/** Each cost in requests, with the formulas that have it. */
function listRequests(language: Language): [ids: string[], cost: string][] {
  const idsByCost = new Map<string, string[]>();
  for (const [id, { requests }] of FORMULAS) {
    idsByCost.set(requests[language], [...(idsByCost.get(requests[language]) ?? []), id]);
  }
  return [...idsByCost].map(([cost, ids]) => [ids, cost]);
}

/** Creates the page of all errors. */
export function createErrorsPage(language: Language): string {
  const title = HEADINGS.allErrors[language];
  const codes = Object.keys(ERRORS) as FeedCode[];
  const main = html`<h1>${title}</h1><p class="lead">${HEADINGS.errorsIntro[language]}</p>
${createErrorTable(codes, language, (code) => html`<code id="${code}">${code}</code>`)}`;
  return createFrame({ title, file: ERRORS_FILE, language, main });
}

/** Formulas that people mix up, and what tells them apart. */
const CONFUSIONS: readonly { title: Text; text: Text }[] = [
  {
    title: { en: "FINANCIAL or FINANCIALS?", ja: "FINANCIAL と FINANCIALS の違い" },
    text: {
      en: "FINANCIAL fills cells that you lay out yourself. FINANCIALS brings its own table with headers.",
      ja: "FINANCIAL は、自分で用意した行と列に数値を入れます。FINANCIALS は、見出しの付いた表をそのまま作成します。",
    },
  },
  {
    title: {
      en: "COMPANIES, UNIVERSE, CONSTITUENTS or PEERS?",
      ja: "COMPANIES、UNIVERSE、CONSTITUENTS、PEERS の違い",
    },
    text: {
      en: "COMPANIES lists private companies of a country with their register data. UNIVERSE lists listed and private companies of a country with their industries. CONSTITUENTS narrows that to an industry, PEERS to the industry of a company.",
      ja: "COMPANIES は、ある国の非上場企業を登記情報とともに一覧にします。UNIVERSE は、ある国の上場・非上場企業を業種とともに一覧にします。CONSTITUENTS は指定した業種の企業に、PEERS は指定した企業と同じ業種の企業に絞り込みます。",
    },
  },
];

const createConfusions = (language: Language): Markup =>
  html`<h2 id="which">${HEADINGS.which[language]}</h2>${CONFUSIONS.map((each) => html`<h3>${each.title[language]}</h3><p>${each.text[language]}</p>`)}`;

/** A part of a page that the search finds. */
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
  const text = CONFUSIONS.map((each) => `${each.title[language]} ${each.text[language]}`).join(" ");
  return { page: `${INDEX_FILE}#which`, title, heading: title, text };
}

const toDocumentEntries = ({ source, title, sections }: DocumentPage, language: Language): SearchEntry[] =>
  sections.map(({ heading, place, text }) => {
    const page = `${toFolder(language, source.language)}${source.file}#${place}`;
    return { page, title, heading, text };
  });
