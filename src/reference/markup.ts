/** A piece of HTML that is safe to be set as it is. */
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

/** A template of HTML, in which texts are escaped and markup stands as it is. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const texts = parts.map((part, index) => `${toText(part)}${strings[index + 1]}`);
  return new Markup(`${strings[0]}${texts.join("")}`);
}

function toText(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
