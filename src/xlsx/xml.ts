import { SaxesParser, type SaxesTagNS } from "saxes";
import { XlsxRefused } from "./package";

/** Those of spreadsheets, of usual files and of strict Open XML, and that of a package. */
const VOCABULARIES = [
  "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
  "http://purl.oclc.org/ooxml/spreadsheetml/main",
  "http://schemas.openxmlformats.org/package/2006/relationships",
];
const RELATIONSHIPS = [
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  "http://purl.oclc.org/ooxml/officeDocument/relationships",
];

/** Places in a part's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An element's opening tag, and where it stands. */
export class Tag implements Span {
  constructor(
    readonly tag: SaxesTagNS,
    /** Without prefix; of another vocabulary than a spreadsheet's or a package's with a colon before it. */
    readonly name: string,
    /** Whether white space at the ends of its text counts. */
    readonly isPreserving: boolean,
    readonly start: number,
    readonly end: number,
  ) {}

  /** The value of an attribute without a prefix. */
  get(attribute: string): string | undefined {
    return this.tag.attributes[attribute]?.value;
  }

  /** The id of a relationship, under any prefix. */
  get relation(): string | undefined {
    return Object.values(this.tag.attributes).find(({ local, uri }) => local === "id" && RELATIONSHIPS.includes(uri))
      ?.value;
  }
}

/** What is told of a part, from its beginning to its end. */
export interface Handlers {
  /** @param path the names of the elements around it, which the next call changes */
  open?(tag: Tag, path: readonly string[]): void;
  text?(text: string): void;
  /** @param end behind the closing tag */
  close?(name: string, end: number, path: readonly string[]): void;
}

/**
 * Reads a part.
 *
 * @throws XlsxRefused for what is no XML
 */
export function readXml(text: string, { open, text: take, close }: Handlers): void {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const path: string[] = [];
  const preserving: boolean[] = [];
  parser.on("error", () => {
    throw new XlsxRefused("damaged");
  });
  parser.on("opentag", (tag) => {
    const end = parser.position;
    const name = toName(tag);
    const space = tag.attributes["xml:space"]?.value;
    const isPreserving = space === undefined ? (preserving.at(-1) ?? false) : space === "preserve";
    open?.(new Tag(tag, name, isPreserving, text.lastIndexOf("<", end - 1), end), path);
    path.push(name);
    preserving.push(isPreserving);
  });
  parser.on("closetag", () => {
    const name = path.pop() ?? "";
    preserving.pop();
    close?.(name, parser.position, path);
  });
  if (take) {
    parser.on("text", take);
    parser.on("cdata", take);
  }
  parser.write(text).close();
}

const toName = ({ uri, local }: SaxesTagNS) => (VOCABULARIES.includes(uri) ? local : `:${local}`);

/** Collects the text of each of a string's runs; readings of their characters (furigana) are in none of them. */
export class StringText {
  #isTaking = false;
  #isPreserving = false;
  #run = "";
  #text = "";

  open(tag: Tag, path: readonly string[]): void {
    this.#isTaking = tag.name === "t" && !path.includes("rPh");
    if (this.#isTaking) [this.#run, this.#isPreserving] = ["", tag.isPreserving];
  }

  take(text: string): void {
    if (this.#isTaking) this.#run += text;
  }

  close(): void {
    if (this.#isTaking) this.#text += trim(this.#run, this.#isPreserving);
    this.#isTaking = false;
  }

  /** The whole text; the next one begins. */
  finish(): string {
    const text = toText(this.#text);
    this.#text = "";
    return text;
  }
}

/** Whether an attribute says yes. */
export const isOn = (value: string | undefined) => value === "1" || value === "true";

/** A text as it counts. */
export const trim = (text: string, isPreserving: boolean) =>
  isPreserving ? text : text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");

/** Characters that XML cannot hold stand in texts as _x0001_. */
export const toText = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Encodes a text for XML, where it may also stand in an attribute. */
export const encode = (text: string) =>
  text.replace(/[&<>"\t\n\r]/g, (letter) => ENTITIES[letter] ?? `&#${letter.charCodeAt(0)};`);
