/** @jest-environment jsdom */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { toManifest } from "../../src/companion/manifest";
import { names, readManifest, readText, readTexts } from "./manifest-file";

const WEB = join(__dirname, "../../dist/web");
const CONTROL = ["Label", "Supertip", "Icon"];
const ACTIONS: Record<string, string[]> = {
  ShowTaskpane: ["TaskpaneId", "SourceLocation"],
  ExecuteFunction: ["FunctionName"],
};
const GENERATED = { origin: "https://feed.example.com:8443", namespace: "ACME" };

describe.each([
  { whose: "as it comes", origin: "https://localhost:3000", namespace: "FEED", query: "", text: readText() },
  { whose: "of another deployment", ...GENERATED, query: "?namespace=ACME", text: toManifest(readText(), GENERATED) },
])("the manifest $whose", ({ origin, namespace, query, text }) => {
  const { root, overrides, host, resources, find, listResources, readResource, readResid } = readManifest(text);
  const controls = [...find("Control"), ...find("Item")];

  it("is well-formed, of a task pane, with its own id", () => {
    expect(find("parsererror")).toEqual([]);
    expect(root.getAttribute("xsi:type")).toBe("TaskPaneApp");
    expect(find("Id")[0]?.textContent).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(find("Version")[0]?.textContent).toMatch(/^\d+(\.\d+){3}$/);
  });

  it("has its elements in the schema's order", () => {
    expect(names(root).join(" ")).toBe(
      "Id Version ProviderName DefaultLocale DisplayName Description IconUrl HighResolutionIconUrl SupportUrl AppDomains " +
        "Hosts Requirements DefaultSettings Permissions VersionOverrides ExtendedOverrides",
    );
    expect(names(overrides)).toEqual(["Hosts", "Resources"]);
    expect(names(host)).toEqual(["Runtimes", "AllFormFactors", "DesktopFormFactor"]);
    const desktop = ["GetStarted", "FunctionFile", "ExtensionPoint", "ExtensionPoint"];
    expect(names(find("DesktopFormFactor")[0])).toEqual(desktop);
    expect(names(find("GetStarted")[0])).toEqual(["Title", "Description", "LearnMoreUrl"]);
    expect(names(resources)).toEqual(["bt:Images", "bt:Urls", "bt:ShortStrings", "bt:LongStrings"]);
  });

  it("has the schema's elements in each button, menu and item, in order", () => {
    const [label, icon, ...within] = names(find("Group")[0]);
    expect([label, icon, ...new Set(within)]).toEqual(["Label", "Icon", "Control"]);
    for (const control of controls) {
      const isMenu = control.getAttribute("xsi:type") === "Menu";
      expect(names(control)).toEqual([...CONTROL, isMenu ? "Items" : "Action"]);
      expect(names(control.getElementsByTagName("Supertip")[0])).toEqual(["Title", "Description"]);
    }
    for (const action of find("Action")) expect(names(action)).toEqual(ACTIONS[action.getAttribute("xsi:type") ?? ""]);
    const ids = [...controls, ...find("Group")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("registers the formulas with script, page, metadata and namespace", () => {
    const point = find("AllFormFactors")[0]?.children[0];
    expect(point?.getAttribute("xsi:type")).toBe("CustomFunctions");
    expect(names(point)).toEqual(["Script", "Page", "Metadata", "Namespace"]);
    expect(readResource(readResid("Script > SourceLocation") ?? "")).toBe(`${origin}/functions.js`);
    expect(readResource(readResid("Metadata > SourceLocation") ?? "")).toBe(`${origin}/functions.json`);
    expect(readResource(readResid("Namespace") ?? "")).toBe(namespace);
  });

  it("gives the formulas' descriptions in Japanese to a Japanese Excel", () => {
    const id = readResid("Metadata > SourceLocation");
    const metadata = listResources().find((resource) => resource.id === id);
    const [japanese] = metadata?.children ?? [];
    expect(japanese?.getAttribute("Locale")).toBe("ja-JP");
    expect(japanese?.getAttribute("Value")).toBe(`${origin}/functions-ja.json`);
  });

  it("runs formulas, commands and pane on one page, which gets the namespace", () => {
    const page = readResid("Runtimes > Runtime");
    expect(host.querySelector("Runtimes > Runtime")?.getAttribute("lifetime")).toBe("long");
    expect(readResid("Page > SourceLocation")).toBe(page);
    expect(readResid("FunctionFile")).toBe(page);
    const panes = [...host.querySelectorAll("Action > SourceLocation")];
    expect(panes.map((pane) => pane.getAttribute("resid"))).toEqual(panes.map(() => page));
    expect(readResource(page ?? "")).toBe(`${origin}/taskpane.html${query}`);
    expect(find("SourceLocation")[0]?.getAttribute("DefaultValue")).toBe(`${origin}/taskpane.html${query}`);
  });

  it("defines every resource it uses, and uses every one, with ids of at most 32 characters", () => {
    const ids = listResources().map(({ id }) => id);
    const used = [...overrides.querySelectorAll("[resid]")].map((element) => element.getAttribute("resid"));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(used)].sort()).toEqual([...ids].sort());
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(32);
  });

  it("keeps short strings to 125 characters and long ones to 250, in both languages", () => {
    for (const [list, limit] of [["bt:ShortStrings", 125] as const, ["bt:LongStrings", 250] as const]) {
      const texts = [...find(list)[0]!.children].flatMap(readTexts);
      expect(texts.length).toBeGreaterThan(0);
      for (const each of texts) expect([each, each.length > 0 && each.length <= limit]).toEqual([each, true]);
    }
    expect(readTexts(find("DisplayName")[0]!).every((each) => each.length <= 125)).toBe(true);
    expect(readTexts(find("Description")[0]!).every((each) => each.length <= 250)).toBe(true);
  });

  it("has Japanese for every text but the namespace", () => {
    const texts = [...find("DisplayName"), ...find("Description", root), ...find("bt:String")];
    const said = texts.filter((element) => (element.getAttribute("DefaultValue") ?? namespace) !== namespace);
    expect(said.length).toBeGreaterThanOrEqual(18);
    for (const element of said) {
      expect([...element.children].map((override) => override.getAttribute("Locale"))).toEqual(["ja-JP"]);
      expect(element.children[0]?.getAttribute("Value")).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    }
  });

  it("uses the namespace's name throughout", () => {
    const other = namespace === "FEED" ? "ACME" : "FEED";
    expect(text).not.toMatch(new RegExp(`\\b${other}\\b`));
    expect(find("DisplayName")[0]?.getAttribute("DefaultValue")).toBe(`${namespace} for Excel`);
    expect(readResource("Started.Description")).toContain(`=${namespace}.`);
  });

  it("declares the host, permissions and requirement sets it needs", () => {
    const hosts = find("Host").map((element) => element.getAttribute("Name") ?? element.getAttribute("xsi:type"));
    expect(hosts).toEqual(["Workbook", "Workbook"]);
    expect(find("Permissions")[0]?.textContent).toBe("ReadWriteDocument");
    const sets = find("Set").map((each) => `${each.getAttribute("Name")} ${each.getAttribute("MinVersion")}`);
    expect(sets).toEqual(["SharedRuntime 1.1", "CustomFunctionsRuntime 1.3"]);
  });

  it("has https URLs of one origin only, which the pane may navigate", () => {
    const addresses = text.match(/(?<=Value="|Url="|<AppDomain>)\w+:\/\/[^"<]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) expect(new URL(address).origin).toBe(origin);
    expect(find("AppDomain").map(({ textContent }) => textContent)).toEqual([origin]);
    expect(new URL(origin).protocol).toBe("https:");
  });

  it("names the file of the shortcuts, and that of their texts by Excel's language", () => {
    const [[overrides], [token]] = [find("ExtendedOverrides"), find("Token")];
    expect(overrides?.getAttribute("Url")).toBe(`${origin}/shortcuts.json`);
    expect(overrides?.getAttribute("ResourcesUrl")).toBe(`${origin}/shortcuts-\${token.language}.json`);
    expect([token?.getAttribute("Name"), token?.getAttribute("xsi:type")]).toEqual(["language", "LocaleToken"]);
    const locales = [...(token?.children ?? [])];
    const texts = locales.map((each) => `${each.getAttribute("Locale")} ${each.getAttribute("Value")}`);
    expect([token?.getAttribute("DefaultValue"), ...texts]).toEqual(["en", "ja-JP ja"]);
  });

  it("names only files that the build has", () => {
    const addresses = text.match(/https:\/\/[^"<]+/g)?.filter((address) => address.startsWith(`${origin}/`)) ?? [];
    expect(addresses.length).toBeGreaterThan(30);
    const paths = addresses.flatMap((address) =>
      ["en", "ja"].map((language) => new URL(address.replace(/\$\{.*\}/, language)).pathname),
    );
    expect(paths).toContain("/shortcuts-ja.json");
    for (const path of paths) expect([path, existsSync(join(WEB, path))]).toEqual([path, true]);
  });
});

/** Reads a manifest as Microsoft's tool does for its command `info`, which itself would report its use to Microsoft. */
const READ = `
  const { OfficeAddinManifest } = require("office-addin-manifest");
  OfficeAddinManifest.readManifestFile("manifest.xml").then((info) => console.log(JSON.stringify(info)));
`;

it("the XML manifest is read correctly by Microsoft's own tool", () => {
  const origin = "https://localhost:3000";
  const cwd = join(__dirname, "../..");
  const info = execFileSync(process.execPath, ["--no-warnings", "-e", READ], { cwd, encoding: "utf8" });
  expect(JSON.parse(info)).toMatchObject({
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
