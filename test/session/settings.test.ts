import { describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import {
  toMadeSheets,
  toPersistedPolicies,
  toPersistedProvider,
  toRequestLimit,
  toTimeZone,
} from "../../src/session/persisted-settings";
import { createSession } from "../../src/session/session";
import { DEFAULT_SETTINGS, type RefreshPolicy, toCountry, toPolicies } from "../../src/session/settings";

describe("the country setting", () => {
  it.each([
    ["JPN", "JPN"],
    [" sgp ", "SGP"],
    ["all", "ALL"],
  ])("accepts %j", (written, country) => {
    expect(toCountry(written)).toBe(country);
  });

  it.each(["", "JP", "JAPAN", "J1N", "日本国", "JPN,SGP"])("rejects %j", (written) => {
    expect(toCountry(written)).toBeNull();
  });
});

describe("the time zone setting", () => {
  it.each(["Asia/Tokyo", " UTC ", "Asia/Kolkata", "America/Argentina/Buenos_Aires"])("accepts %j", (written) => {
    expect(toTimeZone(written)).toBe(written.trim());
  });

  it.each(["", "Tokyo", "Mars/Phobos", "+09:00", "東京"])("rejects %j", (written) => {
    expect(toTimeZone(written)).toBeNull();
  });
});

describe("the request limit setting", () => {
  it.each([
    ["1", 1],
    [" 200 ", 200],
    ["1,000", 1_000],
    ["５００", 500],
    ["10000", 10_000],
  ])("accepts %j", (written, limit) => {
    expect(toRequestLimit(written)).toBe(limit);
  });

  it.each(["", "0", "-5", "1.5", "10001", "1e9", "many", "Infinity"])("rejects %j", (written) => {
    expect(toRequestLimit(written)).toBeNull();
  });
});

describe("the provider of a workbook", () => {
  it.each(["sample", "https://api.example.com", "https://api.example.com/data"])("can be %j", (persisted) => {
    expect(toPersistedProvider(persisted)).toBe(persisted);
  });

  it.each([undefined, null, 5, "", "api.example.com", "Sample"])("cannot be %j", (persisted) => {
    expect(toPersistedProvider(persisted)).toBeNull();
  });
});

describe("the settings of a new workbook", () => {
  it("equal a new session's defaults", () => {
    const { settings } = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
    expect(settings).toEqual({
      timeZone: "Asia/Tokyo",
      dateSystem: 1900,
      dismissals: [],
      country: "JPN",
      numberProperties: false,
      refresh: { financials: "open", rankings: "open", companies: "open", taxonomies: "open" },
      requestLimit: 200,
      provider: null,
      sheets: [],
    });
  });

  it("are valid choices", () => {
    expect(toCountry(DEFAULT_SETTINGS.country)).toBe(DEFAULT_SETTINGS.country);
    expect(toTimeZone(DEFAULT_SETTINGS.timeZone)).toBe(DEFAULT_SETTINGS.timeZone);
  });
});

describe("the refresh policies of the settings", () => {
  it("are read by family, with the default for an invalid value", () => {
    const persisted = {
      rankings: "every-5",
      companies: "manual",
      financials: "every-0.01",
      taxonomies: 5,
      names: "manual",
    };
    expect(toPersistedPolicies(persisted, undefined)).toEqual({
      ...toPolicies("open"),
      rankings: "every-5",
      companies: "manual",
    });
  });

  it.each([1, 5, 15, 60])("apply a stored interval of %p minutes to every family", (minutes) => {
    expect(toPersistedPolicies(undefined, minutes)).toEqual(toPolicies(`every-${minutes}` as RefreshPolicy));
  });

  it.each([0, 0.01, -5, 2, [], null, undefined, Number.NaN])("ignore a stored interval of %p", (minutes) => {
    expect(toPersistedPolicies(undefined, minutes)).toBeNull();
  });

  it.each(["manual", null, 5])("are null for a stored value of %j", (persisted) => {
    expect(toPersistedPolicies(persisted, undefined)).toBeNull();
  });
});

describe("the sheets of the settings", () => {
  it("are the entries with a name and a template, without other stored properties", () => {
    const ranking = { name: "Ranking", template: "ranking" };
    expect(
      toMadeSheets([{ ...ranking, formula: "=A1" }, { name: 5, template: "ranking" }, { name: "X" }, null]),
    ).toEqual([ranking]);
  });

  it.each([null, "Ranking", { 0: "Ranking" }])("are empty for a stored %j", (persisted) => {
    expect(toMadeSheets(persisted)).toEqual([]);
  });
});

describe("a setting that formulas do not use", () => {
  it("notifies the pane alone", () => {
    const session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
    const events: string[] = [];
    session.onSettings(() => events.push("formula"));
    session.subscribe(() => events.push("pane"));
    session.change({ sheets: [{ name: "Ranking", template: "ranking" }] });
    expect(events).toEqual(["pane"]);
  });
});
