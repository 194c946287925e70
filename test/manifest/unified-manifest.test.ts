import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { findElement, readXml, type XmlElement } from "../../src/companion/commands/unified-manifest/xml";
import { readPixels } from "./manifest-file";
import { listBreaches } from "./unified-rules";

const ROOT = join(__dirname, "../..");
const WEB = join(ROOT, "dist/web");
/**
 * Validates by the schemas in Microsoft's package, which it would otherwise load from the network. Its validator cannot compile the
 * patterns of the translations' schema, so those are tried one by one.
 */
const VALIDATE = `
  const { readFileSync } = require("node:fs");
  const { createRequire } = require("node:module");
  const { dirname, join } = require("node:path");
  const near = createRequire(require.resolve("office-addin-manifest"));
  const { ManifestUtil } = near("@microsoft/app-manifest");
  const schemas = join(dirname(near.resolve("@microsoft/app-manifest")), "json-schemas/teams");
  const [manifest, texts] = ["manifest.json", "ja-jp.json"].map((file) =>
    JSON.parse(readFileSync(join(process.argv[1], file), "utf8")));
  const load = ({ $schema }) => require(join(schemas, /teams.(v[^/]+.[^/]+json)/.exec($schema)[1]));
  const { properties, patternProperties, required } = load(texts);
  const rules = Object.entries(patternProperties).map(([pattern, rule]) => [new RegExp(pattern), rule]);
  const findRule = (place) => properties[place] ?? rules.find(([pattern]) => pattern.test(place))?.[1];
  const isKept = ([place, text]) => text.length > 0 && text.length <= (findRule(place)?.maxLength ?? Infinity);
  const refused = Object.entries(texts).filter((entry) => !findRule(entry[0]) || !isKept(entry));
  const missing = required.filter((place) => texts[place] === undefined);
  ManifestUtil.validateManifestAgainstSchema(manifest, load(manifest))
    .then((breaches) => console.log(JSON.stringify([...breaches, ...refused, ...missing])));
`;
/** Reads a manifest as Microsoft's tool does for its command `info`, which itself would report its use to Microsoft. */
const READ = `
  const { OfficeAddinManifest } = require("office-addin-manifest");
  OfficeAddinManifest.readManifestFile(process.argv[1]).then((info) => console.log(JSON.stringify(info)));
`;

const runMicrosofts = (code: string, path: string) =>
  JSON.parse(execFileSync(process.execPath, ["--no-warnings", "-e", code, path], { cwd: ROOT, encoding: "utf8" }));

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const listElements = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(listElements)];

describe.each([
  { origin: "https://localhost:3000", namespace: "FEED" },
  { origin: "https://feed.example.com:8443", namespace: "ABCDEFGHIJKLMNOPQRST" },
])("the unified manifest of $namespace", ({ origin, namespace }) => {
  const own = mkdtempSync(join(tmpdir(), "feed-unified-"));
  const [folder, xml] = [join(own, "package"), join(own, `${namespace}.xml`)];
  const lines: string[] = [];

  beforeAll(async () => {
    const words = ["manifest", "--origin", origin, "--namespace", namespace, "--out", xml, "--unified", folder];
    await runCommand(words, { environment: {}, webFolder: WEB, print: (line) => lines.push(line) });
  });

  const read = () => readJson(folder, "manifest.json");
  const readExtension = () => read().extensions[0];

  it("is a package's four files, beside the XML manifest", () => {
    expect(readdirSync(folder).sort()).toEqual(["color.png", "ja-jp.json", "manifest.json", "outline.png"]);
    expect(readPixels(join("assets", "icon-192.png"))).toEqual([192, 192]);
    expect(readPixels(join("assets", "icon-outline-32.png"))).toEqual([32, 32]);
    expect(lines.join("\n")).toContain(`installs the add-in from ${origin}, its formulas as ${namespace}.`);
  });

  it("is valid by the schemas in Microsoft's own package", () => {
    expect(runMicrosofts(VALIDATE, folder)).toEqual([]);
  });

  it("is read correctly by Microsoft's own tool", () => {
    expect(runMicrosofts(READ, join(folder, "manifest.json"))).toMatchObject({
      id: read().id,
      hosts: ["workbook"],
      permissions: "Document.ReadWrite.User",
      appDomains: [origin],
      providerName: `${namespace} for Excel`,
      version: "0.1.0",
    });
  });

  it("keeps Microsoft's rules beyond the schemas", () => {
    expect(listBreaches(read(), readJson(folder, "ja-jp.json"), readFileSync(xml, "utf8"))).toEqual([]);
  });

  it("has the formulas of functions.json, all of them and as they are there", () => {
    const text = readFileSync(join(WEB, "functions.json"), "utf8");
    const built = JSON.parse(text.replaceAll("https://localhost:3000", origin));
    const { customFunctions, code, lifetime } = readExtension().runtimes[0];
    const { functions, enums, ...rest } = customFunctions;
    const toFlat = ({ options, ...each }: { options: object }) => ({ ...each, ...options });
    expect(functions).toEqual(built.functions.map(toFlat));
    expect(enums).toEqual(built.enums);
    expect(rest).toEqual({
      namespace: { id: namespace, name: namespace },
      allowCustomDataForDataTypeAny: true,
      metadataUrl: `${origin}/functions.json`,
    });
    const inJapanese = readJson(folder, "ja-jp.json")["extensions[0].runtimes[0].customFunctions.metadataUrl"];
    expect(inJapanese).toBe(`${origin}/functions-ja.json`);
    const query = namespace === "FEED" ? "" : `?namespace=${namespace}`;
    expect(code).toEqual({ page: `${origin}/taskpane.html${query}`, script: `${origin}/functions.js` });
    expect(lifetime).toBe("long");
  });

  it("has the commands of the XML manifest in the same places, with its texts in both languages", () => {
    const root = readXml(readFileSync(xml, "utf8"));
    const resources = listElements(findElement(root, "VersionOverrides", "Resources"));
    const elements = listElements(root);
    const controls = elements.filter(({ name }) => name === "Control" || name === "Item");
    const own = readExtension();
    const places = [
      ["ribbons[0].tabs[0].groups[0]", own.ribbons[0].tabs[0].groups[0]],
      ["contextMenus[0].menus[0]", own.contextMenus[0].menus[0]],
    ];
    const japanese = readJson(folder, "ja-jp.json");
    const listed = places.flatMap(([place, { controls: list }]) =>
      list.flatMap((each: { items?: object[] }, index: number) => [
        [`${place}.controls[${index}]`, each],
        ...(each.items ?? []).map((item, itemIndex) => [`${place}.controls[${index}].items[${itemIndex}]`, item]),
      ]),
    );
    expect(listed).toHaveLength(controls.length);
    for (const [index, [place, control]] of listed.entries()) {
      const source = controls[index] as XmlElement;
      const { resid } = findElement(source, "Label").attributes;
      const resource = resources.find(({ attributes }) => attributes.id === resid);
      expect([control.id, control.label]).toEqual([source.attributes.id, resource?.attributes.DefaultValue]);
      const inJapanese = resource?.children[0]?.attributes.Value;
      expect(japanese[`extensions[0].${place}.label`]).toBe(inJapanese);
    }
  });

  it("has the keyboard shortcuts of shortcuts.json", () => {
    const { shortcuts }: { shortcuts: { action: string; key: object }[] } = readJson(WEB, "shortcuts.json");
    const [own] = readExtension().keyboardShortcuts;
    expect(own.shortcuts).toEqual(shortcuts.map(({ action, key }) => ({ key, actionId: action })));
    expect(own.keyMappingFiles).toEqual({ shortcutsUrl: `${origin}/shortcuts.json` });
  });

  it("names no other deployment", () => {
    const text = JSON.stringify([read(), readJson(folder, "ja-jp.json")]);
    for (const [address] of text.matchAll(/https:\/\/[^"/]+/g)) {
      expect([origin, "https://developer.microsoft.com"]).toContain(address);
    }
    if (namespace !== "FEED") expect(text).not.toContain("FEED");
  });
});

it("the command prints no XML where it writes the unified manifest alone", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "feed-unified-")), "package");
  const lines: string[] = [];
  const words = ["manifest", "--origin", "https://feed.example.com", "--unified", folder];
  await runCommand(words, { environment: {}, webFolder: WEB, print: (line) => lines.push(line) });
  expect(lines).toEqual([
    `${join(folder, "manifest.json")}, zipped with the files beside it, installs the add-in from https://feed.example.com, ` +
      "its formulas as FEED.",
  ]);
});

it("the XML manifest is read correctly by Microsoft's own tool", () => {
  const origin = "https://localhost:3000";
  expect(runMicrosofts(READ, "manifest.xml")).toMatchObject({
    id: "e5e98938-6bbc-4356-824e-1329b3cfb00d",
    displayName: "FEED for Excel",
    officeAppType: "TaskPaneApp",
    hosts: ["Workbook"],
    permissions: "ReadWriteDocument",
    appDomains: [origin],
    iconUrl: `${origin}/assets/icon-32.png`,
    highResolutionIconUrl: `${origin}/assets/icon-64.png`,
    defaultSettings: { sourceLocation: `${origin}/taskpane.html` },
  });
});
