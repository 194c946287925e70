import type { Package } from "./package";
import { readRelationships } from "./relationships";
import { encode, readXml, type Tag } from "./xml";

const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.microsoft.com/office";
const FOLDER = "xl/webextensions";
const PANES = `${FOLDER}/taskpanes.xml`;
const EXTENSION = `${FOLDER}/webextension1.xml`;
/** This add-in's names: a file may hold the settings of others too. */
const OWN = /^feed(-|$)/;

/** Whose settings they are: the id and the version of the manifest. */
export interface AddIn {
  id: string;
  version: string;
}

type Settings = Readonly<Record<string, unknown>>;

/** Adds an add-in's settings to a file's parts as Excel stores them ([MS-OWEXML]): each value is JSON. */
export function addSettings(parts: Map<string, string | Uint8Array>, settings: Settings, addIn: AddIn): void {
  if (Object.keys(settings).length === 0) return;
  parts.set(EXTENSION, toExtension(settings, addIn));
  parts.set(
    PANES,
    `<p:taskpanes xmlns:p="${OFFICE}/webextensions/taskpanes/2010/11">` +
      '<p:taskpane dockstate="right" visibility="0" width="350" row="0"><p:webextensionref r:id="rId1"' +
      ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></p:taskpane></p:taskpanes>',
  );
  const ofPanes = toRelation("rId1", "webextension", "webextension1.xml");
  parts.set(`${FOLDER}/_rels/taskpanes.xml.rels`, `<Relationships xmlns="${PACKAGE}">${ofPanes}</Relationships>`);
  append(parts, "_rels/.rels", toRelation("rIdPanes", "webextensiontaskpanes", PANES));
  append(parts, "[Content_Types].xml", toType(PANES, "webextensiontaskpanes") + toType(EXTENSION, "webextension"));
}

/** Appends elements to those within a part's outermost one. */
export function append(parts: Map<string, string | Uint8Array>, path: string, xml: string): void {
  parts.set(
    path,
    String(parts.get(path)).replace(/<\/\w+>\s*$/, (end) => xml + end),
  );
}

const toRelation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/2011/relationships/${kind}" Target="${target}"/>`;

const toType = (path: string, kind: string) =>
  `<Override PartName="/${path}" ContentType="application/vnd.ms-office.${kind}+xml"/>`;

/** For the add-in of one person's computer; where there is none, for that of a firm's catalogue. */
function toExtension(settings: Settings, { id, version }: AddIn): string {
  const toReference = (store: string, type: string) =>
    `<we:reference id="${encode(id)}" version="${encode(version)}" store="${store}" storeType="${type}"/>`;
  const properties = Object.entries(settings).map(
    ([name, value]) => `<we:property name="${encode(name)}" value="${encode(JSON.stringify(value))}"/>`,
  );
  return (
    `<we:webextension xmlns:we="${OFFICE}/webextensions/webextension/2010/11" id="{${encode(id)}}">` +
    toReference("developer", "Registry") +
    `<we:alternateReferences>${toReference("EXCatalog", "EXCatalog")}</we:alternateReferences>` +
    `<we:properties>${properties.join("")}</we:properties><we:bindings/></we:webextension>`
  );
}

/**
 * Reads the add-in's settings of a file by their names.
 *
 * @param onUnreadable called where some of them are not as the add-in writes them; these are left out
 */
export function readSettings(pack: Package, onUnreadable: () => void = () => {}): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  const listParts = (path: string, kind: string) => readRelationships(pack, path).filter((each) => each.kind === kind);
  const extensions = listParts("", "webextensiontaskpanes").flatMap(({ path }) => listParts(path, "webextension"));
  for (const { path } of extensions) {
    try {
      readXml(pack.readText(path) ?? "", { open: (tag) => readProperty(tag, settings, onUnreadable) });
    } catch {
      onUnreadable();
    }
  }
  return settings;
}

function readProperty(tag: Tag, settings: Record<string, unknown>, onUnreadable: () => void): void {
  const name = tag.get("name") ?? "";
  if (tag.name !== ":property" || !OWN.test(name)) return;
  try {
    settings[name] = JSON.parse(tag.get("value") ?? "");
  } catch {
    onUnreadable();
  }
}
