/** An element of an XML document; names keep their prefix, e.g. "bt:String". */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
}

const TOKEN = /<!--.*?-->|<\?.*?\?>|<\/[\w:.]+\s*>|<([\w:.]+)((?:\s+[\w:.]+="[^"]*")*)\s*(\/?)>|([^<]+)/gs;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reads the root of a well-formed document without CDATA and DTD, as manifests are. */
export function readXml(document: string): XmlElement {
  const open: XmlElement[] = [{ name: "", attributes: {}, children: [], text: "" }];
  for (const [token, name, attributes = "", isEmpty, text] of document.matchAll(TOKEN)) {
    const parent = open.at(-1)!;
    if (name !== undefined) {
      const element = { name, attributes: readAttributes(attributes), children: [], text: "" };
      parent.children.push(element);
      if (isEmpty === "") open.push(element);
    } else if (text !== undefined) parent.text += decode(text.trim());
    else if (token.startsWith("</")) open.pop();
  }
  const root = open[0]!.children[0];
  if (open.length !== 1 || root === undefined) throw new Error("The manifest is no well-formed XML.");
  return root;
}

/** The first descendant on a path of names. @throws Error where the document lacks it */
export function findElement(element: XmlElement, ...path: string[]): XmlElement {
  return path.reduce((parent, name) => {
    const child = parent.children.find((each) => each.name === name);
    if (child === undefined) throw new Error(`The manifest has no ${path.join(" > ")} in ${element.name}.`);
    return child;
  }, element);
}

const readAttributes = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w:.]+)="([^"]*)"/g)].map(([, name, value = ""]) => [name, decode(value)]));

const decode = (text: string): string => text.replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity);
