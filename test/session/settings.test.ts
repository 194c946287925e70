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
import rows from "./settings.json";

describe.each([
  ["country", toCountry, rows.country],
  ["time zone", toTimeZone, rows.timeZone],
  ["request limit", toRequestLimit, rows.requestLimit],
  ["provider of the workbook", toPersistedProvider, rows.provider],
])("the %s", (_what, read, { accepted, rejected }) => {
  it.each<unknown[]>(accepted)("can be %j", (given, setting) => {
    expect((read as (given: unknown) => unknown)(given)).toBe(setting);
  });

  it.each<unknown>(rejected)("cannot be %j", (given) => {
    expect((read as (given: unknown) => unknown)(given)).toBeNull();
  });
});

it("has no provider of a workbook that stored none", () => {
  expect(toPersistedProvider(undefined)).toBeNull();
});

describe("the settings of a new workbook", () => {
  it("equal a new session's defaults", () => {
    const { settings } = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
    expect(settings).toEqual(rows.defaults);
  });

  it("are valid choices", () => {
    expect(toCountry(DEFAULT_SETTINGS.country)).toBe(DEFAULT_SETTINGS.country);
    expect(toTimeZone(DEFAULT_SETTINGS.timeZone)).toBe(DEFAULT_SETTINGS.timeZone);
  });
});

describe("the refresh policies of the settings", () => {
  it("are read by family, with the default for an invalid value", () => {
    const valid = { rankings: "every-5", companies: "manual" };
    const persisted = { ...valid, financials: "every-0.01", taxonomies: 5, names: "manual" };
    expect(toPersistedPolicies(persisted, undefined)).toEqual({ ...toPolicies("open"), ...valid });
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
