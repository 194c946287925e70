import { type DocumentPage, toFolder, toLanguages } from "./documents";
import { FORMULA_FAMILIES, FORMULAS } from "./formulas";
import { createFrame, createTable, html, INDEX_FILE, type Markup } from "./frame";
import { createLegalLinks } from "./legal";
import type { FunctionMetadata } from "./metadata";
import { toSignature } from "./page";
import { HEADINGS, type Language } from "./texts";
import { ERRORS_FILE, WHICH_FILE } from "./topic-pages";

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
${createRequests(language)}
${createLegalLinks(language)}`;
  return createFrame({ title, file: INDEX_FILE, language, main, script: "search.js" });
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
  const topics = [
    html`<li><a href="${WHICH_FILE}">${HEADINGS.which[language]}</a></li>`,
    html`<li><a href="${ERRORS_FILE}">${HEADINGS.allErrors[language]}</a></li>`,
  ];
  const groups = (["analysts", "it", "developers"] as const).map((readers) => {
    const pages = listGuides(documents, language).filter(({ source }) => source.readers === readers);
    const items = pages.map(
      ({ source, title }) =>
        html`<li><a href="${toFolder(language, source.language)}${source.file}">${title}${source.language === language ? html`` : HEADINGS.inEnglish[language]}</a></li>`,
    );
    const all = readers === "analysts" ? [...items, ...topics] : items;
    return html`<section><h3>${HEADINGS[readers][language]}</h3><ul>${all}</ul></section>`;
  });
  return html`<div class="guides">${groups}</div>`;
}

/** The documents of a language, then the English ones that it lacks. */
export const listGuides = (documents: readonly DocumentPage[], language: Language): DocumentPage[] =>
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
