import { findElement, type XmlElement } from "./xml";

export const JAPANESE = "ja-JP";

/** A text in both languages. */
export interface Text {
  en: string;
  ja: string;
}

export type Resolve = (element: XmlElement) => Text;

/** Makes the function that reads the resource of an element. */
export function createResolver(overrides: XmlElement): Resolve {
  const lists = findElement(overrides, "Resources").children.flatMap(({ children }) => children);
  const texts = new Map(lists.map((resource) => [resource.attributes.id, readText(resource)]));
  return ({ name, attributes: { resid } }) => {
    const text = texts.get(resid);
    if (text === undefined) throw new Error(`The manifest has no resource ${resid}, which ${name} names.`);
    return text;
  };
}

export function readText({ attributes: { DefaultValue: en = "" }, children }: XmlElement): Text {
  const ja = children.find(({ attributes }) => attributes.Locale === JAPANESE)?.attributes.Value ?? en;
  return { en, ja };
}

export const translate = ({ en, ja }: Text, change: (text: string) => string): Text => ({
  en: change(en),
  ja: change(ja),
});

const isText = (value: object): value is Text => "en" in value && "ja" in value;

/** Puts the English of each text in its place. */
export function toEnglish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toEnglish);
  if (typeof value !== "object" || value === null) return value;
  if (isText(value)) return value.en;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toEnglish(each)]));
}

/**
 * Lists the Japanese texts by their places in the manifest, e.g. "extensions[0].ribbons[0].tabs[0].groups[0].label". Names and
 * descriptions of the add-in are required, even where they are as in English.
 */
export function listJapanese(value: unknown, place: string): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((each, index) => listJapanese(each, `${place}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  if (isText(value)) return value.ja === value.en && place.startsWith("extensions") ? [] : [[place, value.ja]];
  return Object.entries(value).flatMap(([name, each]) => listJapanese(each, place === "" ? name : `${place}.${name}`));
}
