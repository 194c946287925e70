import type { FunctionMetadata } from "./metadata";
import type { Texts } from "./texts";

/** What the help says about one formula. */
export interface HelpEntry {
  /** What stands before the dot in a formula. */
  namespace: string;
  metadata: FunctionMetadata;
  /** A whole formula to copy into a cell. */
  example?: string;
  /** Address of the formula's page in the reference. */
  page: string;
}

/** Makes the markup of one formula's help: how it is written, what it gives, its arguments, an example. */
export function createHelpEntry(root: Document, entry: HelpEntry, texts: Texts): HTMLElement {
  const { namespace, metadata, example, page } = entry;
  const make = (tag: string, text: string, ...children: Node[]) => {
    const element = root.createElement(tag);
    element.append(text, ...children);
    return element;
  };
  const names = metadata.parameters.map(({ name, optional }) => (optional ? `[${name}]` : name));
  const about = metadata.parameters.flatMap(({ name, description }) => [
    make("dt", name),
    make("dd", description ?? ""),
  ]);
  const section = make("section", "", make("h2", `=${namespace}.${metadata.name}(${names.join(", ")})`));
  section.append(make("p", metadata.description ?? ""), make("dl", "", ...about));
  if (example !== undefined) section.append(make("p", `${texts.example} `, make("code", example)));
  const more = Object.assign(root.createElement("a"), { href: page, target: "_blank", textContent: texts.more });
  section.append(make("p", "", more));
  return section;
}
