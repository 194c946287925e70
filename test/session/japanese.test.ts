import { afterEach, describe, expect, it } from "@jest/globals";
import { Message, msg, setCatalogue, translate } from "../../src/client/messages";
import { adoptJapanese } from "../../src/session/japanese";
import { CLIENT } from "../../src/session/japanese/client";
import { FEED } from "../../src/session/japanese/feed";
import { FUNCTIONS } from "../../src/session/japanese/functions";
import { listTemplates, listUntranslatable } from "../support/message-templates";
import { startScriptedFormulas } from "../support/scripted-formulas";

const PARTS = [CLIENT, FEED, FUNCTIONS];
const CATALOGUE = Object.assign({}, ...PARTS) as Record<string, string>;

const toPlaceholders = (template: string) => [...template.matchAll(/\{\d+\}/g)].map(String).sort();

afterEach(() => setCatalogue({}));

describe("the Japanese messages", () => {
  it("have every template of the sources, each once, and no other", () => {
    const templates = listTemplates();
    expect(templates.length).toBeGreaterThan(200);
    expect(PARTS.flatMap(Object.keys).sort()).toEqual(templates.sort());
  });

  it("take the same values as the English ones", () => {
    const taken = Object.entries(CATALOGUE).map(([english, japanese]) => [english, toPlaceholders(japanese)]);
    expect(taken).toEqual(Object.keys(CATALOGUE).map((english) => [english, toPlaceholders(english)]));
  });

  it("leave no error of the sources in plain English", () => {
    expect(listUntranslatable()).toEqual([]);
  });
});

it("a message is translated with the messages in it, and keeps its data", async () => {
  const message = msg`no company${msg` in ${"JPN"}`}${""} is called "${"{0} $1"}"; ${msg`correct the spelling`}`;
  expect(String(message)).toBe('no company in JPN is called "{0} $1"; correct the spelling');
  setCatalogue(CATALOGUE);
  expect(translate(message)).toBe('JPN の "{0} $1" という企業はありません。表記を修正してください');
  expect(translate(new Message("unknown", []))).toBe("unknown");
});

it("shows a cell's error in Japanese once the messages have come", async () => {
  const stage = await startScriptedFormulas(() => undefined);
  try {
    const cell = stage.formulas.type("FINANCIAL", 1, "Revenue", 2023);
    await stage.rest();
    expect(cell.shown.at(-1)).toEqual([[expect.stringContaining("year and metric look swapped")]]);
    await adoptJapanese(stage.formulas.session);
    await stage.rest();
    expect(cell.shown.at(-1)).toEqual([[expect.stringContaining("year と metric が逆のようです")]]);
    cell.cancel();
  } finally {
    await stage.close();
  }
});
