import { ERRORS, type FeedCode } from "../client/errors";
import { CURES } from "../feed/cures";
import type { Field } from "../feed/fields";
import { ENUMERATIONS, isOpen, toFieldText } from "./enumerations";
import type { FormulaReference, Section } from "./formula";
import { createFrame, createTable, ERRORS_FILE, html, type Markup } from "./frame";
import type { FunctionMetadata } from "./metadata";
import results from "./results.json";
import { FIELD_KINDS, HEADINGS, type Language, type Text, toSizeText } from "./texts";

/** One formula in one language. */
interface PageSource {
  metadata: FunctionMetadata;
  reference: FormulaReference;
  language: Language;
  /** Ids of all formulas, in the order in which they are listed. */
  ids: readonly string[];
}

/** How a formula is written, optional arguments in brackets. */
export function toSignature({ name, parameters }: FunctionMetadata): string {
  const names = parameters.map(({ name: argument, optional }) => (optional ? `[${argument}]` : argument));
  return `FEED.${name}(${names.join(", ")})`;
}

/** Makes a formula's page. */
export function createPage(source: PageSource): string {
  const { metadata, reference, language, ids } = source;
  const main = html`<h1>FEED.${metadata.name}</h1>
<p class="lead">${metadata.description ?? ""}</p>
<pre><code>=${toSignature(metadata)}</code></pre>
${createExamples(source)}
<h2 id="arguments">${HEADINGS.arguments[language]}</h2>
${metadata.parameters.length === 0 ? html`<p>–</p>` : createArguments(source)}
${createValues(source)}
${reference.fields === undefined ? html`` : createFields(reference.fields, language)}
${(reference.sections ?? []).map((section) => createSection(section, language))}
${createErrors(source)}
<nav class="others" aria-labelledby="others"><h2 id="others">${HEADINGS.otherFormulas[language]}</h2>
<ul>${ids.map((id) => createLink(id, metadata.id))}</ul></nav>`;
  return createFrame({ title: `FEED.${metadata.name}`, file: `${metadata.id}.html`, language, main });
}

const createLink = (id: string, current: string): Markup =>
  id === current
    ? html`<li><span aria-current="page">FEED.${id}</span></li>`
    : html`<li><a href="${id}.html">FEED.${id}</a></li>`;

function createExamples({ reference, language }: PageSource): Markup {
  const examples = reference.examples.map(
    ({ formula, shows }) =>
      html`<dt><code>${formula}</code></dt><dd>${shows[language]}${createResult(formula, language)}</dd>`,
  );
  return html`<h2 id="examples">${HEADINGS.examples[language]}</h2>
<dl class="examples">${examples}</dl>
<p class="note">${HEADINGS.sampleData[language]}</p>
<p class="note" id="separators">${HEADINGS.separators[language]}</p>`;
}

function createArguments({ metadata, reference, language }: PageSource): Markup {
  const rows = metadata.parameters.map(({ name, description, customEnumId }) => {
    const accepts = reference.arguments[name]?.accepts?.[language];
    const values =
      customEnumId === undefined
        ? html``
        : html` <a href="#${isFields(customEnumId) ? "fields" : customEnumId}">${HEADINGS.values[language]}</a>`;
    const note = accepts === undefined ? html`` : html`<p class="note">${accepts}</p>`;
    return [html`<code>${name}</code>`, html`${description ?? ""}${values}${note}`];
  });
  return createTable(
    [HEADINGS.argument, HEADINGS.meaning].map((heading) => heading[language]),
    rows,
  );
}

/** Whether an enumeration lists fields, which have a table of their own. */
const isFields = (enumeration: string) => enumeration.endsWith("_FIELD");

/** Lists of values are folded; printing and links into them unfold them. */
function createValues({ metadata, language }: PageSource): Markup {
  const ids = new Set(metadata.parameters.flatMap(({ customEnumId }) => customEnumId ?? []));
  const lists = [...ids].filter((id) => !isFields(id)).map((id) => createValueList(id, metadata, language));
  return html`${lists}`;
}

function createValueList(id: string, { parameters }: FunctionMetadata, language: Language): Markup {
  const names = parameters.filter(({ customEnumId }) => customEnumId === id).map(({ name }) => name);
  const rows = [...(ENUMERATIONS.get(id) ?? [])].map(([value, text]) => [
    html`<code>${value}</code>`,
    html`${text[language]}`,
  ]);
  const table = createTable(
    [HEADINGS.value, HEADINGS.meaning].map((heading) => heading[language]),
    rows,
  );
  const hint = isOpen(id) ? html`<p class="note">${HEADINGS.otherValues[language]}</p>` : html``;
  return html`<details><summary>${HEADINGS.values[language]}${HEADINGS.colon[language]}<code>${names.join(", ")}</code></summary><div id="${id}">${table}${hint}</div></details>`;
}

function createFields(fields: readonly Field[], language: Language): Markup {
  const rows = fields.map((field) => [
    html`<code>${field.name}</code>`,
    html`${toFieldText(field)[language]}`,
    html`${FIELD_KINDS[field.kind][language]}${field.isPersonal ? html`${HEADINGS.comma[language]}${HEADINGS.personal[language]}` : html``}`,
  ]);
  const table = createTable(
    [HEADINGS.field, HEADINGS.header, HEADINGS.kind].map((heading) => heading[language]),
    rows,
  );
  return html`<h2 id="fields">${HEADINGS.fields[language]}</h2>${table}`;
}

function createSection({ id, title, paragraphs, table }: Section, language: Language): Markup {
  const inLanguage = (text: Text) => html`${text[language]}`;
  const rows = table?.rows.map((row) => row.map(inLanguage)) ?? [];
  const headings = table?.headings.map((heading) => heading[language]) ?? [];
  return html`<h2 id="${id}">${title[language]}</h2>
${paragraphs.map((paragraph) => html`<p>${paragraph[language]}</p>`)}
${table === undefined ? html`` : createTable(headings, rows)}`;
}

/** The errors of the formula itself; those of the connection are on their own page. */
function createErrors({ reference, language }: PageSource): Markup {
  const toName = (code: string) => html`<a href="${ERRORS_FILE}#${code}"><code>${code}</code></a>`;
  return html`<h2 id="errors">${HEADINGS.errors[language]}</h2>
${createErrorTable(reference.errors, language, toName)}
<p>${HEADINGS.commonErrors[language]} <a href="${ERRORS_FILE}">${HEADINGS.allErrors[language]}</a></p>`;
}

/** Creates a table of errors with their cures. */
export function createErrorTable(
  codes: readonly FeedCode[],
  language: Language,
  toName: (code: FeedCode) => Markup,
): Markup {
  const rows = codes.map((code) => [
    toName(code),
    html`<code>${ERRORS[code].cell}</code>`,
    html`${CURES[code][language]}`,
  ]);
  const headings = [HEADINGS.error, HEADINGS.cell, HEADINGS.cure].map((heading) => heading[language]);
  return createTable(headings, rows);
}

/** The first cells that an example shows. */
function createResult(formula: string, language: Language): Markup {
  const result = findResult(formula, language);
  if (result === undefined) return html``;
  const rows = result.cells.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  const [height, width] = [result.cells.length, result.cells[0]?.length ?? 0];
  const isCut = result.rows > height || result.columns > width;
  const size = isCut ? html`<p class="note">${toSizeText[language](result.rows, result.columns)}</p>` : html``;
  return html`<div class="result" tabindex="0"><table>${rows}</table></div>${size}`;
}

/** What an example shows on the sample data. */
export interface ExampleResult {
  /** Its first cells, as they are displayed. */
  cells: readonly (readonly string[])[];
  /** The size of the whole result. */
  rows: number;
  columns: number;
}

const RESULTS: Readonly<Record<Language, Readonly<Record<string, ExampleResult>>>> = results;

/** Finds what an example shows; undefined where it changes from day to day. */
export const findResult = (formula: string, language: Language): ExampleResult | undefined =>
  RESULTS[language][formula];
