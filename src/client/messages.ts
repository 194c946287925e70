/** A message for people. It reads in English, and in the page's language where the catalogue has its template. */
export class Message {
  /** @param template the English text with {0}, {1} … in place of its values, which are data or messages */
  constructor(
    readonly template: string,
    readonly values: readonly unknown[],
  ) {}

  toString(): string {
    return fill(this.template, this.values, String);
  }
}

/** A sentence that the companion wrote, in English; `translate` looks for its template in the page's language. */
export class Sentence extends Message {
  constructor(readonly text: string) {
    super("{0}", [text.replace(/\.$/, "")]);
  }
}

/** The template tag of messages: msg`no company is called ${name}`. */
export const msg = (parts: TemplateStringsArray, ...values: readonly unknown[]): Message =>
  new Message(
    parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`),
    values,
  );

/** Several values or messages, a separator between two. */
export const joined = (values: readonly unknown[], separator: string): Message =>
  new Message(values.map((_, index) => `{${index}}`).join(separator), values);

/** Several values or messages as a choice: "A or B or C". */
export const either = (values: readonly unknown[]): unknown =>
  values.length === 0 ? "" : values.reduce((some, value) => msg`${some} or ${value}`);

/** The templates of another language by the English ones. */
export type Catalogue = Readonly<Record<string, string>>;

let catalogue: Catalogue = {};
let translateSentence = (text: string): string => text;

/**
 * Chooses the language of the page's messages.
 * @param ofCompanion Translates a sentence of the companion; default it stays as it is.
 */
export function setCatalogue(chosen: Catalogue, ofCompanion = (text: string): string => text): void {
  catalogue = chosen;
  translateSentence = ofCompanion;
}

/** Gives a message in the page's language; any other value as its text. */
export function translate(value: unknown): string {
  if (value instanceof Sentence) return translateSentence(value.text).replace(/[.。]$/, "");
  if (!(value instanceof Message)) return String(value);
  return fill(catalogue[value.template] ?? value.template, value.values, translate);
}

export const fill = (template: string, values: readonly unknown[], show: (value: unknown) => string): string =>
  template.replace(/\{(\d+)\}/g, (_, index) => show(values[index]));
