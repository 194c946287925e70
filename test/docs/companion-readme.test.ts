import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { createCompanion } from "../../src/companion/companion";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, REFUSAL_HEADER } from "../../src/contract/companion-api";
import { OPERATIONS } from "../../src/contract/constants";
import { createPages } from "../companion/pages-folder";
import { createSignIn } from "../companion/sign-in/firm";
import { createConfiguration } from "../companion/test-configuration";

const ROOT = join(__dirname, "../..");
const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");
const api = readText("src/companion/API.md");
const threats = readText("src/companion/THREATS.md");

/** The cells of every table row of a text, without headers and rules. */
function readRows(text: string): string[][] {
  const tables = text.split("\n\n").filter((part) => part.startsWith("|"));
  return tables.flatMap((table) => table.trim().split("\n").slice(2).map(toCells));
}

const readChapter = (heading: string) => api.split(/^(?=## )/m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
const toCells = (line: string) => line.slice(2, -2).split(" | ");

/** The test files that the page names, with their titles in quotation marks. */
function listNamedTests(text: string): [string, string][] {
  return [...text.matchAll(/`(test\/[^`]+)` ("[^"]+"(?:, "[^"]+")*)/g)].flatMap(([, path = "", titles = ""]) =>
    [...titles.matchAll(/"[^"]+"/g)].map(([title]): [string, string] => [path, title]),
  );
}

/** A title is the first argument of its call, or the first cell of a row in its table. */
function hasTest([path, title]: [string, string]): boolean {
  if (!existsSync(join(ROOT, path))) return false;
  const text = readFileSync(join(ROOT, path), "utf8").replace(/([([])\s+/g, "$1");
  return text.includes(`(${title},`) || text.includes(`[${title},`);
}

/** "GET /companion/config" and the like, of a companion with a provider and sign-in. */
async function listRoutes(): Promise<string[]> {
  const firm = { ...NO_FIRM, signIn: createSignIn("https://login.example.com") };
  const configuration = createConfiguration(undefined, { mode: "relay", firm });
  const app = await createCompanion({ configuration, webFolder: createPages() });
  await app.ready();
  const parents: string[] = [];
  const routes = app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, branch = "", part = "", methods = ""] = line.match(/^(.*?── )(\S+) \((.+)\)$/) ?? [];
      if (methods === "") return [];
      const depth = branch.length / 4;
      parents.splice(depth - 1, parents.length, part);
      return methods.split(", ").map((method) => `${method} ${parents.join("").replace(/\/+/g, "/")}`);
    });
  await app.close();
  return routes;
}

describe("the companion's pages", () => {
  it("name for every threat the test of its control, by an existing file and title", () => {
    const rows = readRows(threats);
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter(([, , tests = ""]) => listNamedTests(tests).length === 0)).toEqual([]);
    expect(listNamedTests(threats).filter((named) => !hasTest(named))).toEqual([]);
  });

  it("list every route of the companion API and no other", async () => {
    const listed = readRows(readChapter("## Routes")).flatMap(([method, path]) =>
      path?.startsWith("`") ? [`${method} ${path.slice(1, -1)}`] : [],
    );
    const routes = (await listRoutes()).filter((route) => route.includes(" /companion/"));
    const relayed = Object.values(OPERATIONS).map(
      ({ method, path }) => `${method} /companion/relay${path.replace(/\{(\w+)\}/g, ":$1")}`,
    );
    expect(routes.filter((route) => route.includes("/relay/")).sort()).toEqual(relayed.sort());
    // The star answers unknown paths, so that the guards come before these as well.
    const own = routes.filter((route) => !route.includes("/relay/") && !/\/companion\/\*?$/.test(route));
    expect(listed.filter((route) => !route.includes("/relay/")).sort()).toEqual(own.sort());
  });

  it("name the API's headers as the code does", () => {
    for (const name of [`${CLIENT_HEADER}: ${CLIENT_NAME}`, PAIRING_HEADER, REFUSAL_HEADER])
      expect(api).toContain(`\`${name}\``);
  });
});
