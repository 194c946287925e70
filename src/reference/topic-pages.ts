import { ERRORS, type FeedCode } from "../client/errors";
import { CURES } from "../feed/cures";
import { FORMULAS } from "./formulas";
import { createFrame, createTable, html, type Markup } from "./frame";
import { HEADINGS, type Language, type Text } from "./texts";

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

/** Formulas that people mix up, and what tells them apart. */
export const CONFUSIONS: readonly { title: Text; text: Text }[] = [
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

/** Creates the page that leads from what is wanted to a formula. */
export function createWhichPage(language: Language): string {
  const title = HEADINGS.which[language];
  const headings = [HEADINGS.wanted, HEADINGS.use].map((heading) => heading[language]);
  const rows = [...FORMULAS].map(([id, { want }]) => [
    html`${want[language]}`,
    html`<a href="${id}.html"><code>FEED.${id}</code></a>`,
  ]);
  const confusions = CONFUSIONS.map((each) => html`<h2>${each.title[language]}</h2><p>${each.text[language]}</p>`);
  const main = html`<h1>${title}</h1>${createTable(headings, rows)}${confusions}`;
  return createFrame({ title, file: WHICH_FILE, language, main });
}
