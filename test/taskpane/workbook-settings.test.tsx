/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import type { PersistedSettings } from "../../src/taskpane/host";
import { WorkbookSettings } from "../../src/taskpane/settings/WorkbookSettings";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { openPart } from "./open-pane";

const COUNTRY = "Default country";
const LIMIT = "Requests sent without asking";
const TIME_ZONE = "Time zone of relative dates";
const NO_COUNTRY = 'Give a code of three letters such as "JPN", or "ALL".';
const NO_TIME_ZONE = 'Give a time zone by its name, such as "Asia/Tokyo".';

let session: Session;
let stored: Partial<PersistedSettings>[];

beforeEach(() => {
  session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
  stored = [];
});
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
});

function open(language = "en-US"): void {
  const texts = toTexts(language);
  const persist = async (settings: Partial<PersistedSettings>) => void stored.push(settings);
  const props = { session, host: { language, hasNumberProperties: true }, persist, texts };
  openPart(session, <WorkbookSettings {...props} />, { texts });
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string, key: string) => fireEvent.keyDown(field(name), { key });
const offers = () => screen.getAllByRole("option").map((option) => option.textContent);

function settle(name: string, value: string): void {
  field(name).focus();
  write(name, value);
  fireEvent.blur(field(name));
}

describe("the settings of a workbook", () => {
  it("are Japan and Tokyo in a new workbook, and stored once one is changed", () => {
    open();
    expect([field(COUNTRY).value, field(TIME_ZONE).value]).toEqual(["JPN", "Asia/Tokyo"]);
    fireEvent.focus(field(COUNTRY));
    fireEvent.blur(field(COUNTRY));
    settle(COUNTRY, "jpn");
    expect(stored).toEqual([]);
  });

  it("change as they are entered, and are stored together", () => {
    open();
    settle(COUNTRY, " sgp ");
    settle(TIME_ZONE, "asia/singapore");
    const changed = { country: "SGP", timeZone: "Asia/Singapore" };
    expect(session.settings).toMatchObject(changed);
    expect(stored).toEqual([
      { numberProperties: false, country: "SGP", timeZone: "Asia/Tokyo", requestLimit: 200 },
      { numberProperties: false, ...changed, requestLimit: 200 },
    ]);
    expect([field(COUNTRY).value, field(TIME_ZONE).value]).toEqual(["SGP", "Asia/Singapore"]);
  });

  it.each([
    ["a country by its name", COUNTRY, "singa", "SGP Singapore"],
    ["every country", COUNTRY, "access", "ALL All countries you have access to"],
    ["a time zone by its city", TIME_ZONE, "hong", "Asia/Hong_Kong"],
    ["UTC, which engines leave out", TIME_ZONE, "utc", "UTC"],
  ])("are suggested: %s", (_, name, written, offer) => {
    open();
    field(name).focus();
    fireEvent.click(field(name));
    write(name, written);
    expect(offers()).toEqual([offer]);
    fireEvent.click(screen.getByRole("option"));
    expect(field(name).value).toBe(offer.split(" ")[0]);
    expect(stored).toHaveLength(1);
  });

  it("are all suggested while the field is empty", () => {
    open();
    field(COUNTRY).focus();
    fireEvent.click(field(COUNTRY));
    expect(offers()).toEqual(
      expect.arrayContaining(["JPN Japan", "YEM Yemen", "ALL All countries you have access to"]),
    );
    expect(screen.getByRole("option", { selected: true }).textContent).toBe("JPN Japan");
  });

  it("accept an unlisted code as the country, whatever names start with its letters", () => {
    open();
    field(COUNTRY).focus();
    fireEvent.click(field(COUNTRY));
    write(COUNTRY, "nor");
    expect(offers()).toEqual(["NOR", "PRK North Korea"]);
    settle(COUNTRY, "nor");
    settle(TIME_ZONE, "Asia/Kolkata");
    expect(session.settings).toMatchObject({ country: "NOR", timeZone: "Asia/Kolkata" });
  });

  it("accept the first suggestion by Enter, and close the list", () => {
    open();
    field(COUNTRY).focus();
    write(COUNTRY, "singap");
    expect(offers()).toEqual(["SGP Singapore"]);
    press(COUNTRY, "Enter");
    expect(field(COUNTRY).value).toBe("SGP");
    expect(screen.queryAllByRole("option")).toEqual([]);
  });

  it("include the number of requests sent without confirmation", async () => {
    open();
    settle(LIMIT, "1,000");
    expect(session.settings.requestLimit).toBe(1_000);
    expect(stored).toHaveLength(1);
    settle(LIMIT, "all");
    expect(screen.getByRole("alert").textContent).toBe("Give a whole number from 1 to 10,000. 1000 still holds.");
    await checkPage("region", "page-has-heading-one");
  });

  it.each([
    ["an invalid code", COUNTRY, "Mars", `${NO_COUNTRY} JPN still holds.`],
    ["an empty text", COUNTRY, " ", `${NO_COUNTRY} JPN still holds.`],
    ["no zone", TIME_ZONE, "Mars/Phobos", `${NO_TIME_ZONE} Asia/Tokyo still holds.`],
    ["an offset, which not every Excel knows", TIME_ZONE, "+09:00", `${NO_TIME_ZONE} Asia/Tokyo still holds.`],
  ])("refuse %s beside the field, and keep the old value until Escape or a valid one", async (_, name, bad, words) => {
    open();
    const before = session.settings;
    settle(name, bad);
    expect(screen.getByRole("alert").textContent).toBe(words);
    expect(field(name).getAttribute("aria-invalid")).toBe("true");
    expect(field(name).getAttribute("aria-describedby")).toContain(screen.getByRole("alert").id);
    await checkPage("region", "page-has-heading-one");
    expect([session.settings, stored]).toEqual([before, []]);
    press(name, "Escape");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(["JPN", "Asia/Tokyo"]).toContain(field(name).value);
  });

  it("refuse an invalid entry by Enter too, and explain what to write when no suggestion matches", async () => {
    open();
    field(TIME_ZONE).focus();
    fireEvent.click(field(TIME_ZONE));
    write(TIME_ZONE, "Mars");
    expect(offers()).toEqual([NO_TIME_ZONE]);
    await checkPage("region", "page-has-heading-one");
    press(TIME_ZONE, "Enter");
    expect(screen.getByRole("alert").textContent).toBe(`${NO_TIME_ZONE} Asia/Tokyo still holds.`);
    expect(stored).toEqual([]);
  });

  it("are in Japanese, with the names of countries", async () => {
    open("ja-JP");
    field("既定の国").focus();
    fireEvent.click(field("既定の国"));
    expect(offers().slice(0, 2)).toEqual(["JPN 日本", "SGP シンガポール"]);
    await checkPage("region", "page-has-heading-one");
    settle("相対日付のタイムゾーン", "東京");
    expect(screen.getByRole("alert").textContent).toMatch(/引き続き Asia\/Tokyo が使われます。$/);
  });
});
