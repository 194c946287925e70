import { type Package, XlsxRefused } from "./package";
import { readXml } from "./xml";

/** What a part refers to. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type, such as "worksheet": strict files have another beginning. */
  readonly kind: string;
  /** The path of a part of the package; outside of it, an address. */
  readonly path: string;
  readonly isExternal: boolean;
}

/** Lists a part's relationships within the package; "" is the package itself. */
export const readRelationships = (pack: Package, path: string): Relationship[] =>
  listRelationships(pack, path).filter(({ isExternal }) => !isExternal);

/** Lists all of a part's relationships. */
export function listRelationships(pack: Package, path: string): Relationship[] {
  const [folder, name] = split(path);
  const text = pack.readText(`${folder}_rels/${name}.rels`);
  const found: Relationship[] = [];
  if (text === undefined) return found;
  readXml(text, {
    open(tag) {
      if (tag.name !== "Relationship") return;
      const [type = "", target = ""] = [tag.get("Type"), tag.get("Target")];
      const kind = type.slice(type.lastIndexOf("/") + 1);
      const isExternal = tag.get("TargetMode") === "External";
      found.push({ id: tag.get("Id") ?? "", kind, path: isExternal ? target : resolve(folder, target), isExternal });
    },
  });
  return found;
}

/** The text of the only part of a kind, where there is one. */
export function readRelated(pack: Package, relationships: readonly Relationship[], kind: string): string | undefined {
  const found = relationships.find((each) => each.kind === kind);
  return found && pack.readText(found.path);
}

/** @throws XlsxRefused for a part that is not there */
export function readPart(pack: Package, path: string): string {
  const text = pack.readText(path);
  if (text === undefined) throw new XlsxRefused("damaged");
  return text;
}

function split(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}

/** The path of a target, which counts from the folder of the part that has it, or from the package. */
function resolve(folder: string, target: string): string {
  const [plain = ""] = target.replaceAll("\\", "/").split("#");
  const steps: string[] = [];
  for (const step of (plain.startsWith("/") ? plain : folder + plain).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
