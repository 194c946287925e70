// Microsoft's rules for a unified manifest that its schema does not hold, in our own words. Each names its page on Microsoft Learn,
// as read in November 2026.
import { findElement, readXml } from "../../src/companion/commands/unified-manifest/xml";

const CONVERT = "Convert an add-in to use the unified manifest for Microsoft 365";
const BOTH = "Manage both a unified manifest and an add-in only manifest";
const KEYS = "Add custom keyboard shortcuts to your Office Add-ins";
const SCHEMA = "Microsoft 365 app manifest schema 1.30";

type Action = { id: string; type: string; displayName?: string };
type Control = { id: string; actionId?: string; items?: Control[] };
type Formula = { id: string; name: string; result?: object };

interface Unified {
  $schema: string;
  manifestVersion: string;
  version: string;
  id: string;
  name: { short: string };
  extensions: [
    {
      runtimes: { actions: Action[]; customFunctions: { functions: Formula[] } }[];
      ribbons: { tabs: { groups: { id: string; controls: Control[] }[] }[] }[];
      contextMenus: { menus: { controls: Control[] }[] }[];
      keyboardShortcuts: { shortcuts: { actionId: string }[] }[];
      alternates: { hide: { customOfficeAddin: { officeAddinId: string } } }[];
    },
  ];
}

/** Lists each breach: the rule and its source. */
export function listBreaches(manifest: Unified, texts: Record<string, string>, xml: string): string[] {
  const [extension] = manifest.extensions;
  const root = readXml(xml);
  const actions = extension.runtimes.flatMap((runtime) => runtime.actions);
  const functions = extension.runtimes.flatMap((runtime) => runtime.customFunctions.functions);
  const groups = extension.ribbons.flatMap(({ tabs }) => tabs.flatMap((tab) => tab.groups));
  const menus = extension.contextMenus.flatMap((each) => each.menus);
  const controls = [...groups, ...menus].flatMap((each) => each.controls).flatMap(withItems);
  const keyed = extension.keyboardShortcuts.flatMap(({ shortcuts }) => shortcuts.map(({ actionId }) => actionId));
  const called = controls.flatMap(({ actionId }) => actionId ?? []);
  const findAction = (id: string) => actions.find((action) => action.id === id);
  const [id, name] = [findElement(root, "Id").text, findElement(root, "DisplayName").attributes.DefaultValue];
  const rules: [isKept: boolean, says: string, source: string][] = [
    [manifest.$schema.includes(`/v${manifest.manifestVersion}/`), "the version is that of the schema", CONVERT],
    [/^\d{1,5}(\.\d{1,5}){2}$/.test(manifest.version), "the version has three numbers of up to five digits", CONVERT],
    [manifest.id !== id, "the id differs from the XML manifest's", BOTH],
    [
      name !== manifest.name.short || manifest.name.short.length > 24,
      "the name differs from the XML manifest's, as far as it has room",
      BOTH,
    ],
    [extension.alternates[0]?.hide.customOfficeAddin.officeAddinId === id, "the XML manifest's add-in is hidden", BOTH],
    [called.length <= 20, "there are at most 20 commands", CONVERT],
    [isUnique(actions), "each action has an id of its own", SCHEMA],
    [isUnique([...groups, ...controls]), "each control has an id of its own", SCHEMA],
    [[...called, ...keyed].every(findAction), "each control and each shortcut calls an action of the runtime", SCHEMA],
    [
      keyed.every((id) => findAction(id)?.type === "executeFunction" && findAction(id)?.displayName !== undefined),
      "a shortcut runs a function that has a name",
      KEYS,
    ],
    [functions.every(({ result }) => result !== undefined), "each formula has a result", CONVERT],
    [functions.every(({ id, name }) => id.length > 2 && name.length > 2), "names have three letters and more", CONVERT],
    [
      Object.keys(texts).every((place) => place === "$schema" || typeof readPlace(manifest, place) === "string"),
      "each translated text stands in the manifest",
      SCHEMA,
    ],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, says, source]) => `${says} (${source})`);
}

const withItems = (control: Control): Control[] => [control, ...(control.items ?? []).flatMap(withItems)];

const isUnique = (all: readonly { id: string }[]): boolean => new Set(all.map(({ id }) => id)).size === all.length;

/** Reads the value at a place such as "extensions[0].ribbons[0].tabs[0]". */
const readPlace = (value: unknown, place: string): unknown =>
  place
    .split(/[.[\]]+/)
    .filter((part) => part !== "")
    .reduce<unknown>((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], value);
