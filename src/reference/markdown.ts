import { lexer, Marked, type Tokens } from "marked";
import { html, Markup } from "./frame";

/** Finds the address of a link or a picture on the page; undefined where nothing is served. */
type ToHref = (target: string) => string | undefined;

/** A part of a document below one heading. */
export interface Section {
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
        const render = ({ tokens }: Tokens.TableCell) => new Markup(this.parser.parseInline(tokens));
        const head = header.map((cell) => html`<th scope="col">${render(cell)}</th>`);
        const body = rows.map((cells) => {
          const items = cells.map(
            (cell, at) => html`<td data-heading="${toPlain(header[at]?.tokens)}">${render(cell)}</td>`,
          );
          return html`<tr>${items}</tr>\n`;
        });
        return html`<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>\n`.text;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Splits a document at its headings. */
export function readSections(markdown: string): Section[] {
  const sections: Section[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === "heading") {
      sections.push({ heading: toPlain(token.tokens), place: toPlace((token as Tokens.Heading).text), text: "" });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text = `${last.text} ${toPlain([token])}`.trim();
    }
  }
  return sections;
}

/** The id of a heading, as code hosts make it, so that one link serves both. */
export function toPlace(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** What lexer gives, as far as texts need it. */
interface TextToken {
  type: string;
  text?: string;
  tokens?: TextToken[];
  items?: TextToken[];
  header?: TextToken[];
  rows?: TextToken[][];
}

/** The text of tokens, without markup. */
function toPlain(tokens: readonly object[] | undefined): string {
  const texts = ((tokens ?? []) as TextToken[]).map(({ type, text, tokens: inner, items, header, rows }) => {
    if (type === "html" || type === "image") return "";
    const parts = inner ?? items ?? (header && [...header, ...(rows ?? []).flat()]);
    if (parts === undefined) return text ?? "";
    return toPlain(parts);
  });
  return texts.join(tokens && isBlock(tokens as TextToken[]) ? " " : "").trim();
}

/** Whether tokens stand below each other, so that a space belongs between their texts. */
const isBlock = (tokens: readonly TextToken[]): boolean =>
  tokens.some(({ type }) => type === undefined || ["list_item", "paragraph", "list", "code"].includes(type));
