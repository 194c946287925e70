import { HEADINGS, type Language, OTHER_LANGUAGE } from "./texts";

/** The parts of a page's frame. */
interface FrameSource {
  title: string;
  /** The page's file name, which is the same in both languages. */
  file: string;
  language: Language;
  main: Markup;
  /** The languages that the page is in; default both. */
  languages?: readonly Language[];
}

/** Creates a whole page: English pages are in a folder, Japanese ones in `ja` below it. */
export function createFrame({ title, file, language, main, languages = ["en", "ja"] }: FrameSource): string {
  const other = OTHER_LANGUAGE[language];
  const root = language === "en" ? "" : "../";
  const otherPage = language === "en" ? `${other}/${file}` : `../${file}`;
  const indexTitle = HEADINGS.title[language];
  const isIndex = file === INDEX_FILE;
  const isTranslated = languages.includes(other);
  const trail = isIndex ? html`` : html`<li><a href="${INDEX_FILE}">${indexTitle}</a></li>`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isIndex ? title : `${title} - ${indexTitle}`}</title>
<link rel="icon" href="${root}../assets/icon-32.png">
<link rel="stylesheet" href="${root}reference.css">
${isTranslated ? html`<link rel="alternate" hreflang="${other}" href="${otherPage}">` : html``}
<script type="module" src="${root}script.js"></script>
</head>
<body>
<header>
<nav aria-label="Breadcrumb"><ol>
<li><a href="${root}../playground.html?lang=${language}">FEED for Excel</a></li>${trail}
<li aria-current="page">${title}</li>
</ol></nav>
${isTranslated ? html`<a class="language" href="${otherPage}" lang="${other}" hreflang="${other}">${HEADINGS.otherLanguage[other]}</a>` : html``}
</header>
<main>
${main}
</main>
</body>
</html>
`.text;
}

/** The file that lists all formulas. */
export const INDEX_FILE = "index.html";
/** The file that lists all errors. */
export const ERRORS_FILE = "errors.html";

/** Creates a table that scrolls sideways on a narrow screen. */
export function createTable(headings: readonly string[], rows: readonly (readonly Markup[])[]): Markup {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, column) => html`<td data-heading="${headings[column] ?? ""}">${cell}</td>`)}</tr>\n`,
  );
  return html`<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>`;
}

/** A piece of HTML that needs no escaping. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The text that escaped HTML stands for. */
export const toUnescaped = (escaped: string): string =>
  Object.entries(ENTITIES).reduceRight((text, [character, entity]) => text.replaceAll(entity, character), escaped);

/** A template of HTML that escapes texts and inserts markup unchanged. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const texts = parts.map((part, index) => `${toText(part)}${strings[index + 1]}`);
  return new Markup(`${strings[0]}${texts.join("")}`);
}

function toText(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
