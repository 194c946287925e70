import { describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import type { RefreshPolicy } from "../../src/session/freshness";
import {
  toMadeSheets,
  toPersistedPolicies,
  toPersistedProvider,
  toRequestLimit,
  toTimeZone,
} from "../../src/session/persisted-settings";
import { createSession } from "../../src/session/session";
import { DEFAULT_SETTINGS, toCountry, toPolicies } from "../../src/session/settings";

describe("a country of the settings", () => {
  it.each([
    ["JPN", "JPN"],
    [" sgp ", "SGP"],
    ["all", "ALL"],
  ])("is read from %j", (written, country) => {
    expect(toCountry(written)).toBe(country);
  });

  it.each(["", "JP", "JAPAN", "J1N", "日本国", "JPN,SGP"])("is not %j", (written) => {
    expect(toCountry(written)).toBeNull();
  });
});

describe("a time zone of the settings", () => {
  it.each(["Asia/Tokyo", " UTC ", "Asia/Kolkata", "America/Argentina/Buenos_Aires"])("is read from %j", (written) => {
    expect(toTimeZone(written)).toBe(written.trim());
  });

  it.each(["", "Tokyo", "Mars/Phobos", "+09:00", "東京"])("is not %j", (written) => {
    expect(toTimeZone(written)).toBeNull();
  });
});

describe("a limit of requests", () => {
  it.each([
    ["1", 1],
    [" 200 ", 200],
    ["1,000", 1_000],
    ["５００", 500],
    ["10000", 10_000],
  ])("is read from %j", (written, limit) => {
    expect(toRequestLimit(written)).toBe(limit);
  });

  it.each(["", "0", "-5", "1.5", "10001", "1e9", "many", "Infinity"])("is not %j", (written) => {
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
  it("are those of a session that nobody has changed", () => {
    const { settings } = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
    expect(settings).toEqual({
      timeZone: "Asia/Tokyo",
      dateSystem: 1900,
      country: "JPN",
      numberProperties: false,
      refresh: { financials: "open", rankings: "open", companies: "open", taxonomies: "open" },
      requestLimit: 200,
      provider: null,
      sheets: [],
    });
  });

  it("are ones that may be chosen", () => {
    expect(toCountry(DEFAULT_SETTINGS.country)).toBe(DEFAULT_SETTINGS.country);
    expect(toTimeZone(DEFAULT_SETTINGS.timeZone)).toBe(DEFAULT_SETTINGS.timeZone);
  });
});

describe("the refresh policies of the settings", () => {
  it("are read family by family, the usual one where none of ours was kept", () => {
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

  it.each([1, 5, 15, 60])("are all alike in a workbook that was kept with %p minutes for everything", (minutes) => {
    expect(toPersistedPolicies(undefined, minutes)).toEqual(toPolicies(`every-${minutes}` as RefreshPolicy));
  });

  it.each([0, 0.01, -5, 2, [], null, undefined, Number.NaN])("are none where %p minutes were kept", (minutes) => {
    expect(toPersistedPolicies(undefined, minutes)).toBeNull();
  });

  it.each(["manual", null, 5])("are none where %j was kept", (persisted) => {
    expect(toPersistedPolicies(persisted, undefined)).toBeNull();
  });
});

describe("the sheets of the settings", () => {
  it("are those that have a name and a template, without anything else that was kept", () => {
    const ranking = { name: "Ranking", template: "ranking" };
    expect(
      toMadeSheets([{ ...ranking, formula: "=A1" }, { name: 5, template: "ranking" }, { name: "X" }, null]),
    ).toEqual([ranking]);
  });

  it.each([null, "Ranking", { 0: "Ranking" }])("are none where %j was kept", (persisted) => {
    expect(toMadeSheets(persisted)).toEqual([]);
  });
});

describe("a setting that no formula goes by", () => {
  it("is told to the pane alone", () => {
    const session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
    const told: string[] = [];
    session.onSettings(() => told.push("formula"));
    session.subscribe(() => told.push("pane"));
    session.change({ sheets: [{ name: "Ranking", template: "ranking" }] });
    expect(told).toEqual(["pane"]);
  });
});
