import type { Tag } from "./xml";

/** Changes of a text at places of its own, which are made at once; what they do not name stays as it is. */
export class Edits {
  readonly #edits: { start: number; end: number; by: string }[] = [];

  constructor(readonly text: string) {}

  /** Replaces what stands between two places; of several at one place the first comes first. */
  replace(start: number, end: number, by: string): void {
    this.#edits.push({ start, end, by });
  }

  /** Sets an attribute without a prefix, or takes it out. */
  setAttribute(tag: Tag, name: string, value: string | null): void {
    if ((tag.get(name) ?? null) === value) return;
    const attribute = /\s+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/y;
    attribute.lastIndex = tag.start + 1 + tag.tag.name.length;
    let end = attribute.lastIndex;
    for (let found = attribute.exec(this.text); found; found = attribute.exec(this.text)) {
      if (found[1] === name) {
        this.replace(found.index, attribute.lastIndex, value === null ? "" : toAttribute(name, value));
        return;
      }
      end = attribute.lastIndex;
    }
    this.replace(end, end, toAttribute(name, value ?? ""));
  }

  /** Puts text into an element before its closing tag; an empty one gets such a tag. */
  append(element: { readonly tag: Tag; readonly end: number }, text: string): void {
    const { tag, end } = element;
    if (tag.tag.isSelfClosing) this.replace(this.text.lastIndexOf("/", end), end, `>${text}</${tag.tag.name}>`);
    else {
      const closing = this.text.lastIndexOf("<", end - 1);
      this.replace(closing, closing, text);
    }
  }

  /** Replaces what stands in an element. */
  setContent({ tag, end }: { readonly tag: Tag; readonly end: number }, text: string): void {
    const name = tag.tag.name;
    const start = tag.tag.isSelfClosing ? this.text.lastIndexOf("/", end) : tag.end - 1;
    this.replace(start, end, `>${text}</${name}>`);
  }

  /** The text with all changes. */
  apply(): string {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, by } of this.#edits.toSorted((one, other) => one.start - other.start)) {
      pieces.push(this.text.slice(at, start), by);
      at = end;
    }
    return [...pieces, this.text.slice(at)].join("");
  }
}

const toAttribute = (name: string, value: string) => ` ${name}="${value}"`;
