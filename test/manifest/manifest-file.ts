import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");
const PNG_SIGNATURE = "89504e470d0a1a0a";

/** A manifest as Excel reads it, with its resources resolved. */
export function readManifest(text: string) {
  const manifest = new DOMParser().parseFromString(text, "application/xml");
  const find = (tag: string, within: Element | Document = manifest) => [...within.getElementsByTagName(tag)];
  const overrides = find("VersionOverrides")[0] as Element;
  const host = find("Host", overrides)[0] as Element;
  const resources = find("Resources")[0] as Element;
  const listResources = () => [...resources.children].flatMap((list) => [...list.children]);
  return {
    manifest,
    root: manifest.documentElement,
    overrides,
    host,
    resources,
    find,
    listResources,
    readResource: (id: string) =>
      listResources()
        .find((element) => element.id === id)
        ?.getAttribute("DefaultValue"),
    readResid: (path: string) => host.querySelector(path)?.getAttribute("resid"),
  };
}

export const readText = () => readFileSync(join(ROOT, "manifest.xml"), "utf8");

export const names = (parent: Element | undefined) => [...(parent?.children ?? [])].map(({ tagName }) => tagName);

export const readTexts = (element: Element) => [
  element.getAttribute("DefaultValue") ?? "",
  ...[...element.children].map((override) => override.getAttribute("Value") ?? ""),
];

/** Reads the size of an image from the first chunk of its file, IHDR. @throws Error if it is no PNG */
export function readPixels(path: string): [number, number] {
  const bytes = readFileSync(join(ROOT, path));
  const isPng = bytes.subarray(0, 8).toString("hex") === PNG_SIGNATURE && bytes.subarray(12, 16).toString() === "IHDR";
  if (!isPng) throw new Error(`${path} is no PNG`);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
