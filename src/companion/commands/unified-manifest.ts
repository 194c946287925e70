import { deriveId } from "../manifest";
import { listActions, listControls, toControl, toIcons } from "./unified-manifest/controls";
import {
  createResolver,
  JAPANESE,
  listJapanese,
  type Resolve,
  readText,
  type Text,
  toEnglish,
  translate,
} from "./unified-manifest/texts";
import { findElement, readXml, type XmlElement } from "./unified-manifest/xml";

const VERSION = "1.30";
const SCHEMAS = `https://developer.microsoft.com/json-schemas/teams/v${VERSION}`;
const TEXTS_FILE = "ja-jp.json";
const LONGEST_NAME = 30;
/** The icon's ground; Office shows it nowhere, but the schema requires one. */
const ACCENT_COLOUR = "#0b2545";
/** The ribbon and the menu of a cell are of a computer's Excel. */
const COMMANDS = {
  capabilities: [{ name: "AddinCommands", minVersion: "1.1" }],
  scopes: ["workbook"],
  formFactors: ["desktop"],
};

/** The built files that the unified manifest repeats. */
export interface UnifiedSources {
  /** manifest.xml of the deployment. */
  manifest: string;
  /** functions.json, with the deployment's addresses. */
  functions: {
    functions: { options?: object }[];
    enums?: object[];
    allowCustomDataForDataTypeAny?: boolean;
  };
  /** shortcuts.json. */
  shortcuts: {
    shortcuts: { action: string; key: object }[];
    resources: { default: ShortcutTexts };
  };
  /** shortcuts-ja.json. */
  shortcutsInJapanese: ShortcutTexts;
}

type ShortcutTexts = Readonly<Record<string, { value: string }>>;

/**
 * Converts the manifest to the unified app manifest for Microsoft 365, schema 1.30. The functions' texts are English: that schema translates the first ten
 * functions alone, and Excel reads their Japanese from the metadata's address.
 *
 * @returns JSON by file name: the manifest, and its texts in Japanese
 */
export function toUnifiedManifest(sources: UnifiedSources): Record<string, string> {
  const root = readXml(sources.manifest);
  const english = { $schema: `${SCHEMAS}/MicrosoftTeams.schema.json`, manifestVersion: VERSION };
  const manifest = { ...english, ...toBase(root), extensions: [toExtension(root, sources)] };
  const japanese = { $schema: `${SCHEMAS}/MicrosoftTeams.Localization.schema.json` };
  return {
    "manifest.json": toJson(toEnglish(manifest)),
    [TEXTS_FILE]: toJson({ ...japanese, ...Object.fromEntries(listJapanese(manifest, "")) }),
  };
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function toBase(root: XmlElement) {
  const read = (name: string) => findElement(root, name).text;
  const [name, description] = [readText(findElement(root, "DisplayName")), readText(findElement(root, "Description"))];
  const support = readText(findElement(root, "SupportUrl")).en;
  return {
    version: read("Version").split(".").slice(0, 3).join("."),
    id: deriveId(read("Id"), "unified"), // Microsoft requires another one than that of the XML manifest
    localizationInfo: {
      defaultLanguageTag: read("DefaultLocale").toLowerCase(),
      additionalLanguages: [{ languageTag: JAPANESE.toLowerCase(), file: TEXTS_FILE }],
    },
    developer: {
      name: read("ProviderName"),
      websiteUrl: support,
      privacyUrl: new URL("privacy.html", support).href,
      termsOfUseUrl: new URL("terms.html", support).href,
    },
    name: { short: toShortName(name), full: translate(name, toLongName) },
    description: { short: translate(description, toFirstSentence), full: description },
    icons: { outline: "outline.png", color: "color.png" },
    accentColor: ACCENT_COLOUR,
    validDomains: findElement(root, "AppDomains").children.map(({ text }) => text),
    authorization: { permissions: { resourceSpecific: [{ name: "Document.ReadWrite.User", type: "Delegated" }] } },
  };
}

/** Another name than the XML manifest's, as Microsoft advises, since an administrator may deploy both. */
const toLongName = (name: string): string => `${name} (Microsoft 365)`;

/** The first name that is short enough: with the mark, without it, and in English. */
function toShortName({ en, ja }: Text): Text {
  const pick = (...names: string[]) => names.find(({ length }) => length <= LONGEST_NAME) ?? en.slice(0, LONGEST_NAME);
  return { en: pick(`${en} (365)`, en), ja: pick(`${ja} (365)`, ja, `${en} (365)`, en) };
}

const toFirstSentence = (text: string): string => /^.*?(?:\.(?= |$)|。)/.exec(text)?.[0] ?? text;

function toExtension(root: XmlElement, sources: UnifiedSources) {
  const { functions, shortcuts } = sources;
  const overrides = findElement(root, "VersionOverrides");
  const resolve = createResolver(overrides);
  const host = findElement(overrides, "Hosts", "Host");
  const form = findElement(host, "DesktopFormFactor");
  const [ribbon, menu] = form.children.filter(({ name }) => name === "ExtensionPoint") as [XmlElement, XmlElement];
  const [tab, cell] = [findElement(ribbon, "OfficeTab"), findElement(menu, "OfficeMenu")];
  const started = findElement(form, "GetStarted");
  const sets = findElement(root, "Requirements", "Sets").children;
  const actions = listActions([findElement(tab, "Group"), cell], resolve, nameShortcuts(sources));
  const controls = listControls(cell).map((control) => toControl(control, resolve));
  return {
    requirements: {
      scopes: COMMANDS.scopes,
      capabilities: sets.map(({ attributes: { Name: name, MinVersion: minVersion } }) => ({ name, minVersion })),
    },
    runtimes: [toRuntime(host, resolve, actions, functions)],
    ribbons: [{ requirements: COMMANDS, contexts: ["default"], tabs: [toTab(tab, resolve)] }],
    contextMenus: [{ requirements: COMMANDS, menus: [{ entryPoint: "cell", controls }] }],
    getStartedMessages: [
      {
        requirements: { scopes: COMMANDS.scopes, formFactors: COMMANDS.formFactors },
        title: resolve(findElement(started, "Title")),
        description: resolve(findElement(started, "Description")),
        learnMoreUrl: resolve(findElement(started, "LearnMoreUrl")).en,
      },
    ],
    keyboardShortcuts: [
      {
        requirements: { capabilities: [{ name: "SharedRuntime", minVersion: "1.1" }] },
        shortcuts: shortcuts.shortcuts.map(({ action, key }) => ({ key, actionId: action })),
        keyMappingFiles: { shortcutsUrl: findElement(root, "ExtendedOverrides").attributes.Url },
      },
    ],
    alternates: [toAlternate(root)],
  };
}

/** One runtime for pane, commands and formulas, as in the XML manifest. */
function toRuntime(host: XmlElement, resolve: Resolve, actions: object[], metadata: UnifiedSources["functions"]) {
  const point = findElement(host, "AllFormFactors", "ExtensionPoint");
  const runtime = findElement(host, "Runtimes", "Runtime");
  const namespace = resolve(findElement(point, "Namespace")).en;
  return {
    id: "Feed.Runtime",
    type: "general",
    code: { page: resolve(runtime).en, script: resolve(findElement(point, "Script", "SourceLocation")).en },
    lifetime: runtime.attributes.lifetime,
    actions,
    customFunctions: {
      namespace: { id: namespace, name: namespace },
      metadataUrl: resolve(findElement(point, "Metadata", "SourceLocation")),
      ...metadata,
      functions: metadata.functions.map(({ options, ...rest }) => ({ ...rest, ...options })),
    },
  };
}

function toTab(tab: XmlElement, resolve: Resolve) {
  const group = findElement(tab, "Group");
  const controls = listControls(group).map((control) => toControl(control, resolve));
  const label = resolve(findElement(group, "Label"));
  const { id } = group.attributes;
  return { builtInTabId: tab.attributes.id, groups: [{ id, label, icons: toIcons(group, resolve), controls }] };
}

/** The names of the actions that have keys. */
function nameShortcuts({ shortcuts, shortcutsInJapanese }: UnifiedSources): Map<string, Text> {
  const english = Object.entries(shortcuts.resources.default);
  return new Map(english.map(([id, { value }]) => [id, { en: value, ja: shortcutsInJapanese[id]?.value ?? value }]));
}

/** Where both manifests are deployed, Office hides the add-in of the XML one. */
const toAlternate = (root: XmlElement) => ({
  hide: { customOfficeAddin: { officeAddinId: findElement(root, "Id").text } },
  alternateIcons: {
    icon: { size: 32, url: readText(findElement(root, "IconUrl")).en },
    highResolutionIcon: { size: 64, url: readText(findElement(root, "HighResolutionIconUrl")).en },
  },
});
