import { ERRORS, type FeedCode } from "../client/errors";
import { CURES } from "../feed/cures";
import { CHOICES, CONFUSIONS } from "./choices";
import { createFrame, createTable, html, type Markup } from "./frame";
import { HEADINGS, type Language } from "./texts";

/** The file that lists all errors. */
export const ERRORS_FILE = "errors.html";
/** The file that says which formula to use. */
export const WHICH_FILE = "which.html";

/** Creates the page of all errors. */
export function createErrorsPage(language: Language): string {
  const title = HEADINGS.allErrors[language];
  const codes = Object.keys(ERRORS) as FeedCode[];
  const main = html`<h1>${title}</h1><p class="lead">${HEADINGS.errorsIntro[language]}</p>
${createErrorTable(codes, language, (code) => html`<code id="${code}">${code}</code>`)}`;
  return createFrame({ title, file: ERRORS_FILE, language, main });
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

/** Creates the page that leads from what is wanted to a formula. */
export function createWhichPage(language: Language): string {
  const title = HEADINGS.which[language];
  const headings = [HEADINGS.wanted, HEADINGS.use].map((heading) => heading[language]);
  const rows = CHOICES.map(({ want, formulas }) => [
    html`${want[language]}`,
    html`${formulas.map((id) => html`<a href="${id}.html"><code>FEED.${id}</code></a>`)}`,
  ]);
  const confusions = CONFUSIONS.map((each) => html`<h2>${each.title[language]}</h2><p>${each.text[language]}</p>`);
  const main = html`<h1>${title}</h1>${createTable(headings, rows)}${confusions}`;
  return createFrame({ title, file: WHICH_FILE, language, main });
}
