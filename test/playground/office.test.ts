import { describe, expect, it } from "@jest/globals";
import { createCommands, createDocumentSettings, createOffice } from "../../src/playground/office";
import sets from "./requirement-sets.json";

let openWorkbook: () => void;

function open(language: "en" | "ja" = "en") {
  const settings = createDocumentSettings();
  const commands = createCommands();
  const shown: boolean[] = [];
  const pane = { show: () => void shown.push(true), hide: () => void shown.push(false), onChange: () => {} };
  const opened = new Promise<void>((resolve) => {
    openWorkbook = resolve;
  });
  const parts = { shortcuts: Promise.resolve({}), opened: () => opened };
  return {
    office: createOffice({ ...parts, language, settings, commands, pane }),
    settings,
    commands,
    shown,
  };
}

describe("the playground's Office", () => {
  it("is ready once a workbook is open, whose settings an add-in then reads", async () => {
    const { office, settings } = open();
    const read = office.onReady().then(() => settings.get("feed"));
    settings.open({ feed: "of the opened workbook" });
    openWorkbook();
    expect(await read).toBe("of the opened workbook");
  });

  it.each(sets as [string, string | null, boolean][])("reports %s %s: %p", (name, version, isSupported) => {
    expect(open().office.context.requirements.isSetSupported(name, version ?? undefined)).toBe(isSupported);
  });

  it("is Excel, in the language of the page", async () => {
    const { office } = open("ja");
    openWorkbook();
    expect((await office.onReady()).host).toBe(office.HostType.Excel);
    expect(office.context.displayLanguage).toBe("ja-JP");
  });

  it("shows and hides the pane", async () => {
    const { office, shown } = open();
    await office.addin.showAsTaskpane();
    await office.addin.hide();
    expect(shown).toEqual([true, false]);
  });

  it("lets the ribbon call the commands that the add-in associates, and no others", () => {
    const { office, commands } = open();
    const called: string[] = [];
    office.actions.associate("refreshAll", ({ source, completed }) => {
      called.push(source.id);
      completed();
    });
    commands.run("refreshAll");
    commands.run("help");
    expect(called).toEqual(["refreshAll"]);
  });
});

it("the document settings of an add-in are in the workbook once saved, and in no other workbook", async () => {
  const { office, settings } = open();
  const documentSettings = office.context.document.settings;
  settings.open({ feed: { country: "JPN" } });
  expect(documentSettings.get("feed")).toEqual({ country: "JPN" });
  documentSettings.set("feed", { country: "KOR" });
  documentSettings.set("other", 1);
  documentSettings.remove("other");
  expect(settings.read()).toEqual({ feed: { country: "JPN" } });
  expect(await new Promise(documentSettings.saveAsync)).toEqual({ status: office.AsyncResultStatus.Succeeded });
  expect(settings.read()).toEqual({ feed: { country: "KOR" } });
  settings.open();
  expect([documentSettings.get("feed"), settings.read()]).toEqual([null, {}]);
});
