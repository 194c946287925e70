/** @jest-environment jsdom */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const ROOT = join(__dirname, "../..");
const ORIGIN = "https://localhost:3000";
const TEXT = readFileSync(join(ROOT, "manifest.xml"), "utf8");
const PNG_SIGNATURE = "89504e470d0a1a0a";

const manifest = new DOMParser().parseFromString(TEXT, "application/xml");
const find = (tag: string, within: Element | Document = manifest) => [...within.getElementsByTagName(tag)];
const names = (parent: Element | undefined) => [...(parent?.children ?? [])].map(({ tagName }) => tagName);
const overrides = find("VersionOverrides")[0]!;
const host = find("Host", overrides)[0]!;
const resources = find("Resources")[0]!;

const listResources = () => [...resources.children].flatMap((list) => [...list.children]);
const listReferences = () =>
  [...overrides.querySelectorAll("[resid]")].map((element) => element.getAttribute("resid") ?? "");
const readResource = (id: string) =>
  listResources()
    .find((element) => element.id === id)
    ?.getAttribute("DefaultValue");
const readResid = (path: string) => host.querySelector(path)?.getAttribute("resid");

/** A text and its translations. */
const readTexts = (element: Element) => [
  element.getAttribute("DefaultValue") ?? "",
  ...[...element.children].map((override) => override.getAttribute("Value") ?? ""),
];

/** Reads an image's size from the first chunk of the file, IHDR. */
function readPixels(path: string): [number, number] {
  const bytes = readFileSync(path);
  expect(bytes.subarray(0, 8).toString("hex")).toBe(PNG_SIGNATURE);
  expect(bytes.subarray(12, 16).toString("latin1")).toBe("IHDR");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("the manifest", () => {
  it("is well-formed, of a task pane, under an id of its own", () => {
    expect(find("parsererror")).toEqual([]);
    expect(manifest.documentElement.getAttribute("xsi:type")).toBe("TaskPaneApp");
    expect(find("Id")[0]?.textContent).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(find("Version")[0]?.textContent).toMatch(/^\d+(\.\d+){3}$/);
  });

  it("has its elements in the schema's order", () => {
    expect(names(manifest.documentElement)).toEqual([
      "Id",
      "Version",
      "ProviderName",
      "DefaultLocale",
      "DisplayName",
      "Description",
      "IconUrl",
      "HighResolutionIconUrl",
      "SupportUrl",
      "AppDomains",
      "Hosts",
      "Requirements",
      "DefaultSettings",
      "Permissions",
      "VersionOverrides",
    ]);
    expect(names(overrides)).toEqual(["Hosts", "Resources"]);
    expect(names(host)).toEqual(["Runtimes", "AllFormFactors", "DesktopFormFactor"]);
    expect(names(find("DesktopFormFactor")[0])).toEqual(["GetStarted", "FunctionFile", "ExtensionPoint"]);
    expect(names(find("GetStarted")[0])).toEqual(["Title", "Description", "LearnMoreUrl"]);
    expect(names(find("Group")[0])).toEqual(["Label", "Icon", "Control"]);
    expect(names(find("Control")[0])).toEqual(["Label", "Supertip", "Icon", "Action"]);
    expect(names(find("Action")[0])).toEqual(["TaskpaneId", "SourceLocation"]);
    expect(names(resources)).toEqual(["bt:Images", "bt:Urls", "bt:ShortStrings", "bt:LongStrings"]);
  });

  it("registers the formulas with script, page, metadata and the namespace FEED", () => {
    const point = find("AllFormFactors")[0]?.children[0];
    expect(point?.getAttribute("xsi:type")).toBe("CustomFunctions");
    expect(names(point)).toEqual(["Script", "Page", "Metadata", "Namespace"]);
    expect(readResource(readResid("Script > SourceLocation") ?? "")).toBe(`${ORIGIN}/functions.js`);
    expect(readResource(readResid("Metadata > SourceLocation") ?? "")).toBe(`${ORIGIN}/functions.json`);
    expect(readResource(readResid("Namespace") ?? "")).toBe("FEED");
  });

  it("hands the formulas' descriptions over in Japanese where Excel speaks it", () => {
    const metadata = manifest.getElementById(readResid("Metadata > SourceLocation") ?? "");
    const overrides = [...(metadata?.children ?? [])].map(({ tagName, attributes }) => [
      tagName,
      attributes.getNamedItem("Locale")?.value,
      attributes.getNamedItem("Value")?.value,
    ]);
    expect(overrides).toEqual([["bt:Override", "ja-JP", `${ORIGIN}/functions-ja.json`]]);
  });

  it("runs formulas, commands and pane on one page", () => {
    const page = readResid("Runtimes > Runtime");
    expect(host.querySelector("Runtimes > Runtime")?.getAttribute("lifetime")).toBe("long");
    expect(readResid("Page > SourceLocation")).toBe(page);
    expect(readResid("FunctionFile")).toBe(page);
    expect(readResid("Action > SourceLocation")).toBe(page);
    expect(readResource(page ?? "")).toBe(`${ORIGIN}/taskpane.html`);
    expect(find("SourceLocation")[0]?.getAttribute("DefaultValue")).toBe(`${ORIGIN}/taskpane.html`);
  });

  it("names every resource it uses, and uses every one it names, in 32 characters at most", () => {
    const ids = listResources().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(listReferences())].sort()).toEqual([...ids].sort());
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(32);
  });

  it("keeps short strings to 125 characters and long ones to 250, in both languages", () => {
    for (const [list, limit] of [["bt:ShortStrings", 125] as const, ["bt:LongStrings", 250] as const]) {
      const texts = [...find(list)[0]!.children].flatMap(readTexts);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) expect([text, text.length > 0 && text.length <= limit]).toEqual([text, true]);
    }
    expect(readTexts(find("DisplayName")[0]!).every((text) => text.length <= 125)).toBe(true);
    expect(readTexts(find("Description")[0]!).every((text) => text.length <= 250)).toBe(true);
  });

  it("speaks Japanese wherever it has a sentence", () => {
    const sentences = [...find("DisplayName"), ...find("Description"), ...find("bt:String")].filter((element) =>
      element.getAttribute("DefaultValue")?.includes(" "),
    );
    expect(sentences.length).toBeGreaterThanOrEqual(6);
    for (const { children } of sentences) expect(children[0]?.getAttribute("Locale")).toBe("ja-JP");
  });

  it("asks for the host, rights and requirement sets it needs", () => {
    expect(find("Host").map((element) => element.getAttribute("Name") ?? element.getAttribute("xsi:type"))).toEqual([
      "Workbook",
      "Workbook",
    ]);
    expect(find("Permissions")[0]?.textContent).toBe("ReadWriteDocument");
    const sets = find("Set").map((element) => [element.getAttribute("Name"), element.getAttribute("MinVersion")]);
    expect(sets).toEqual([
      ["SharedRuntime", "1.1"],
      ["CustomFunctionsRuntime", "1.3"],
    ]);
  });

  it("has https addresses of one origin only", () => {
    const addresses = TEXT.match(/(?<=Value="|<AppDomain>)\w+:\/\/[^"<]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) expect(new URL(address).origin).toBe(ORIGIN);
  });

  it("has one button, which shows the pane", () => {
    expect(find("Control").map((element) => element.getAttribute("xsi:type"))).toEqual(["Button"]);
    expect(find("Action")[0]?.getAttribute("xsi:type")).toBe("ShowTaskpane");
    expect(find("OfficeTab")[0]?.id).toBe("TabHome");
  });
});

describe("the icons", () => {
  it.each([16, 32, 64, 80, 128])("have a file of %i pixels", (size) => {
    expect(readPixels(join(ROOT, "assets", `icon-${size}.png`))).toEqual([size, size]);
  });

  it("are as large as the manifest says", () => {
    const images = [...host.querySelectorAll("Icon > *")];
    expect(images.map((image) => image.getAttribute("size"))).toEqual(["16", "32", "64", "80", "16", "32", "64", "80"]);
    for (const image of images) {
      const size = Number(image.getAttribute("size"));
      const address = readResource(image.getAttribute("resid") ?? "") ?? "";
      expect(readPixels(join(ROOT, new URL(address).pathname))).toEqual([size, size]);
    }
  });

  it.each([
    ["IconUrl", 32],
    ["HighResolutionIconUrl", 64],
  ])("of %s have %i pixels", (tag, size) => {
    const address = find(tag)[0]?.getAttribute("DefaultValue") ?? "";
    expect(readPixels(join(ROOT, new URL(address).pathname))).toEqual([size, size]);
  });
});
