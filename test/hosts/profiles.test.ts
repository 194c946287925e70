import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { type Fact, type HostProfile, NAMED_HOSTS, OPPOSITE_HOSTS } from "./profiles";

const readText = (path: string) => readFileSync(join(__dirname, "../..", path), "utf8");

const FLAGS = ["allowCustomDataForDataTypeAny", "allowErrorForDataTypeAny"];

/** Whether the host crashes on a functions.json. */
const crashes = ({ crashesWithBothFlags }: HostProfile, metadata: Record<string, unknown>) =>
  crashesWithBothFlags.value && FLAGS.every((flag) => metadata[flag] === true);

describe.each(NAMED_HOSTS)("in %s", (_, profile) => {
  it("every fact has a dated source, or the reason of its assumption", () => {
    const facts = Object.values(profile).filter((fact): fact is Fact<unknown> => typeof fact === "object");
    expect(facts).toHaveLength(9);
    for (const fact of facts) {
      if ("assumed" in fact) expect(fact.assumed).toMatch(/\w{3}/);
      else
        expect([fact.source, fact.date]).toEqual([expect.stringMatching(/\w{3}/), expect.stringMatching(/^20\d\d-/)]);
    }
  });

  it("data types of functions come with CustomFunctionsRuntime 1.4 alone", () => {
    const [, minor] = (profile.requirementSets.value.customfunctionsruntime ?? "0.0").split(".");
    expect(profile.hasDataTypes.value).toBe(Number(minor) >= 4);
  });

  it.each(["functions.json", "functions-ja.json"])("%s crashes nothing, and lets errors in ranges arrive", (name) => {
    const metadata = JSON.parse(readText(`dist/web/${name}`));
    expect(crashes(profile, metadata)).toBe(false);
    expect(metadata.allowCustomDataForDataTypeAny).toBe(true);
  });
});

it("the two hosts of every run differ in each fact in which hosts differ", () => {
  const differing = (hosts: readonly (readonly [string, HostProfile])[]) =>
    (["hasDataTypes", "blankCell", "errorInArray", "crashesWithBothFlags", "partitionsStorage"] as const).filter(
      (fact) => new Set(hosts.map(([, host]) => host[fact].value)).size > 1,
    );
  expect(differing(OPPOSITE_HOSTS)).toEqual(differing(NAMED_HOSTS));
});

describe("README.md of the hosts", () => {
  const readme = readText("test/hosts/README.md");

  it("names existing tests", () => {
    const named = [...readme.matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g)];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter(([, file, title]) => !readText(file as string).includes(title as string))).toEqual([]);
  });

  it("answers every line from 1 to 21, or says that it does not", () => {
    const lines = [...readme.matchAll(/^\| (\d+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)];
    expect(lines.map(([, line]) => Number(line))).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    for (const [, , answer] of lines) expect(answer).toMatch(/`test\/|`docs\/|`src\//);
  });
});
