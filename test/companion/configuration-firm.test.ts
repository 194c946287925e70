import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { readRolesFile } from "../../src/companion/configuration/firm";
import { COMPLETE, createFiles, readMistakes } from "./complete-settings";

/** Reads a roles file with one role of these countries, and families. */
function readCountries(countries: unknown, families: unknown = ["financials"]): unknown {
  const folder = mkdtempSync(join(tmpdir(), "feed-roles-"));
  try {
    const path = join(folder, "roles.json");
    writeFileSync(path, JSON.stringify({ Analyst: { families, countries } }), { mode: 0o600 });
    return readRolesFile(path).Analyst?.countries;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the roles file", () => {
  it("gives a role all countries or a list of them", () => {
    expect(readCountries("ALL")).toBe("ALL");
    expect(readCountries(["JPN", "KOR"])).toEqual(["JPN", "KOR"]);
  });

  it("requires countries for each role", () => {
    expect(() => readCountries(undefined)).toThrow('The role "Analyst" needs "countries"');
  });

  it.each([
    ["ranking", 'The role "Analyst" has the family "ranking", which does not exist. Did you mean "rankings"?'],
    ["Taxonomy", 'The role "Analyst" has the family "Taxonomy", which does not exist. Did you mean "taxonomies"?'],
    ["pages", "which does not exist. Families are: financials, rankings, companies, taxonomies."],
    [7, 'The role "Analyst" has the family 7, which does not exist.'],
  ])("names the family that does not exist, and the closest: %s", (family, sentence) => {
    expect(() => readCountries("ALL", ["financials", family])).toThrow(sentence);
  });

  it("requires a list of families for each role", () => {
    expect(() => readCountries("ALL", "rankings")).toThrow(
      'The role "Analyst" needs "families": a list of financials,',
    );
  });

  it("refuses ALL in a list of countries", () => {
    for (const countries of [["ALL"], ["JPN", "ALL"]]) {
      expect(() => readCountries(countries)).toThrow('needs "countries": "ALL", or a list of codes such as "JPN".');
    }
  });
});

describe("the password of the store", () => {
  const write = createFiles();
  const STORE = { ...COMPLETE, FEED_STORE: "redis://valkey:6379/1" };
  const toPath = (text: string) => ({ FEED_STORE_PASSWORD_FILE: write("password.txt", text) });

  it("comes from its file with any characters, without the line end", () => {
    const { firm } = readConfiguration({ ...STORE, ...toPath("p@ss/w:rd%1 #2\n") });
    const url = new URL(firm.store ?? "");
    expect([decodeURIComponent(url.password), url.host, url.pathname]).toEqual(["p@ss/w:rd%1 #2", "valkey:6379", "/1"]);
  });

  it("is a mistake if it is empty, also in the address, or without a store", () => {
    expect(readMistakes({ ...STORE, ...toPath("\n") })).toEqual([expect.stringContaining("password.txt is empty.")]);
    const twice = { ...STORE, FEED_STORE: "redis://:first@valkey", ...toPath("second") };
    expect(readMistakes(twice)).toEqual(["FEED_STORE_PASSWORD_FILE: FEED_STORE has a password as well: keep one."]);
    expect(readMistakes({ ...COMPLETE, ...toPath("second") })).toEqual([
      "FEED_STORE_PASSWORD_FILE needs FEED_STORE: the address of the store.",
    ]);
  });
});

describe("the trusted proxies", () => {
  it.each(["10.0.0.5", "10.1.0.0/16, fd00::/8", "0.0.0.0/0", "::1/128", "10.0.0.1/32"])("can be %s", (list) => {
    expect(readMistakes({ ...COMPLETE, FEED_TRUSTED_PROXIES: list })).toEqual([]);
  });

  it.each(["10.0.0.0/33", "10.0.0.0/99", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/", "nginx"])(
    "cannot be %s",
    (list) => {
      expect(readMistakes({ ...COMPLETE, FEED_TRUSTED_PROXIES: list })).toEqual([
        "FEED_TRUSTED_PROXIES must list addresses or networks, such as 10.0.0.5, 10.1.0.0/16.",
      ]);
    },
  );
});

describe("the address of traces", () => {
  const readTraces = (endpoint: string | undefined, mode: string) =>
    readConfiguration({ ...COMPLETE, FEED_MODE: mode, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).firm.traces;

  it.each(["http://localhost:4318", "http://localhost:4318/"])("is the path of traces below %s", (endpoint) => {
    expect(readTraces(endpoint, "relay")).toBe("http://localhost:4318/v1/traces");
  });

  it("is absent by default, and in sign mode, where the companion reads nothing", () => {
    expect(readTraces(undefined, "relay")).toBeUndefined();
    expect(readTraces("http://localhost:4318", "sign")).toBeUndefined();
    expect(readTraces("another program's", "sign")).toBeUndefined();
  });
});
