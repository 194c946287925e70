import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readRolesFile } from "../../src/companion/configuration/roles";
import { COMPLETE, readMistakes } from "./complete-settings";

/** Reads a roles file that gives one role these countries. */
function readCountries(countries: unknown): unknown {
  const folder = mkdtempSync(join(tmpdir(), "feed-roles-"));
  try {
    const path = join(folder, "roles.json");
    writeFileSync(path, JSON.stringify({ Analyst: { families: ["financials"], countries } }), { mode: 0o600 });
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

  it("gives no role what it does not name", () => {
    expect(() => readCountries(undefined)).toThrow('The role "Analyst" needs "countries"');
  });

  it("takes ALL for no country among others", () => {
    for (const countries of [["ALL"], ["JPN", "ALL"]]) {
      expect(() => readCountries(countries)).toThrow('needs "countries": "ALL", or a list of codes such as "JPN".');
    }
  });
});

describe("the proxies ahead", () => {
  it.each(["10.0.0.5", "10.1.0.0/16, fd00::/8", "0.0.0.0/0", "::1/128", "10.0.0.1/32"])("are taken as %s", (list) => {
    expect(readMistakes({ ...COMPLETE, FEED_TRUSTED_PROXIES: list })).toEqual([]);
  });

  it.each(["10.0.0.0/33", "10.0.0.0/99", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/", "nginx"])(
    "are no network as %s",
    (list) => {
      expect(readMistakes({ ...COMPLETE, FEED_TRUSTED_PROXIES: list })).toEqual([
        "FEED_TRUSTED_PROXIES must list addresses or networks, such as 10.0.0.5, 10.1.0.0/16.",
      ]);
    },
  );
});
