import { Marked } from "marked";
import { createFrame, createTable, html, Markup, toUnescaped } from "./frame";
import type { Language } from "./texts";

/** A Markdown file that is served as a page. */
interface DocumentSource {
  /** Its path in the project. */
  path: string;
  /** The page's file name, which is the same in both languages. */
  file: string;
  language: Language;
  /** Its readers; absent for pages that others lead to. */
  readers?: Readers;
  /** Whether it goes with a feature, as its page: then it is served where it is. */
  isOfFeature?: boolean;
}

type Readers = "analysts" | "it" | "developers";

/** The pages of features that can be taken out. */
const OF_FEATURES = ["ranking-sheets", "model-check", "agents"];

const GUIDES: Readonly<Record<Readers, readonly string[]>> = {
  analysts: ["analyst", "formulas", ...OF_FEATURES, "refresh"],
  it: ["install", "connect-provider", "settings", "firm", "runbook", "security", "reliability", "excel-acceptance"],
  developers: ["developer"],
};

/** The Markdown files that are served, in the order in which they are listed. */
export const DOCUMENTS: readonly DocumentSource[] = [
  ...Object.entries(GUIDES).flatMap(([readers, names]) => names.map((name) => toGuide(name, readers as Readers))),
  ...["analyst", ...OF_FEATURES, "refresh"].map((name) => toGuide(name, "analysts", "ja")),
  { path: "src/companion/README.md", file: "companion.html", language: "en" },
  { path: "src/companion/API.md", file: "companion-api.html", language: "en" },
  { path: "src/companion/THREATS.md", file: "threats.html", language: "en" },
  { path: "src/firm/README.md", file: "firm-companion.html", language: "en" },
  { path: "src/firm/THREATS.md", file: "firm-threats.html", language: "en" },
];

function toGuide(name: string, readers: Readers, language: Language = "en"): DocumentSource {
  const path = `docs/${language === "en" ? "" : `${language}/`}${name}.md`;
  return { path, file: `${name}.html`, language, readers, isOfFeature: OF_FEATURES.includes(name) };
}

/** A document as a page. */
export interface DocumentPage {
  source: DocumentSource;
  title: string;
  sections: readonly Section[];
  html: string;
}

/**
 * Creates the pages of the documents.
 * @param texts the documents' Markdown, by path
 */
export function createDocumentPages(texts: Readonly<Record<string, string>>): DocumentPage[] {
  const isThere = ({ path }: DocumentSource) => texts[path] !== undefined;
  return DOCUMENTS.filter((source) => !source.isOfFeature || isThere(source)).map((source) => {
    const text = texts[source.path];
    if (text === undefined) throw new Error(`The document ${source.path} is missing.`);
    const markup = toMarkup(text, (target) => toHref(source, target, isThere));
    const sections = readSections(markup);
    const title = sections[0]?.heading ?? source.file;
    const main = html`<article>${new Markup(markup)}</article>`;
    const { file, language } = source;
    return {
      source,
      title,
      sections,
      html: createFrame({ title, file, language, main, languages: toLanguages(file) }),
    };
  });
}

/** The languages that a document's page is in. */
export const toLanguages = (file: string): readonly Language[] =>
  DOCUMENTS.filter((each) => each.file === file).map(({ language }) => language);

const SERVED = /^http:\/\/localhost:3000\/reference\/(ja\/)?(.*)$/;
const PICTURES = /(?:^|\/)pictures\/([\w-]+\.png)$/;

/** The address on the page for a link's target in Markdown; undefined for a file that is not served. */
function toHref(
  { path, language }: DocumentSource,
  target: string,
  isThere: (source: DocumentSource) => boolean,
): string | undefined {
  const [, japanese, served] = SERVED.exec(target) ?? [];
  if (served !== undefined) return `${toFolder(language, japanese === undefined ? "en" : "ja")}${served}`;
  if (/^(https?:|#)/.test(target)) return target;
  const [file = "", place] = target.split("#");
  const picture = PICTURES.exec(file)?.[1];
  if (picture !== undefined) return `${toFolder(language, "en")}pictures/${picture}`;
  const found = DOCUMENTS.find((each) => each.path === resolvePath(path, file) && isThere(each));
  if (found === undefined) return undefined;
  return `${toFolder(language, found.language)}${found.file}${place === undefined ? "" : `#${place}`}`;
}

/** The way from a page of one language to the folder of another. */
export function toFolder(from: Language, to: Language): string {
  if (from === to) return "";
  return to === "en" ? "../" : `${to}/`;
}

/** Resolves a relative path against a file of the project. */
function resolvePath(from: string, target: string): string {
  return new URL(target, `file:///${from}`).pathname.slice(1);
}

/** Finds the address of a link or a picture on the page; undefined where nothing is served. */
type ToHref = (target: string) => string | undefined;

/** A part of a document below one heading. */
interface Section {
  heading: string;
  /** The heading's id on the page. */
  place: string;
  /** Its text without markup. */
  text: string;
}

/** Renders Markdown; raw HTML is left out. */
export function toMarkup(markdown: string, toHref: ToHref): string {
  const marked = new Marked();
  marked.use({
    tokenizer: { url: () => undefined }, // addresses in examples lead nowhere
    renderer: {
      heading({ tokens, depth, text }) {
        return html`<h${depth} id="${toPlace(text)}">${new Markup(this.parser.parseInline(tokens))}</h${depth}>\n`.text;
      },
      html: () => "",
      link({ href, tokens }) {
        const text = new Markup(this.parser.parseInline(tokens));
        const address = toHref(href);
        return address === undefined ? text.text : html`<a href="${address}">${text}</a>`.text;
      },
      image: ({ href, text }) => html`<img src="${toHref(href) ?? href}" alt="${text}">`.text,
      table({ header, rows }) {
        const headings = header.map(({ tokens }) => this.parser.parseInline(tokens, this.parser.textRenderer));
        const cells = rows.map((row) => row.map(({ tokens }) => new Markup(this.parser.parseInline(tokens))));
        return createTable(headings, cells).text;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Splits a document at its headings. */
function readSections(markup: string): Section[] {
  const [, ...parts] = markup.split(/<h[1-6] id="/);
  return parts.map((part) => {
    const [, place = "", heading = "", text = ""] = /^([^"]*)">(.*?)<\/h[1-6]>(.*)$/s.exec(part) ?? [];
    return { place, heading: toPlain(heading), text: toPlain(text) };
  });
}

/** The text of markup; only parts that stand below each other are parted by a space. */
const toPlain = (markup: string): string =>
  toUnescaped(markup.replace(/<\/?(?:a|code|del|em|strong)\b[^>]*>/g, "").replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();

/** The id of a heading, as code hosts make it, so that one link serves both. */
const toPlace = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
