import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, REFUSAL_HEADER } from "../../src/contract/companion-api";
import { OPERATIONS } from "../../src/contract/constants";
import { createPages } from "../companion/pages-folder";
import { readPort, sendRaw } from "../companion/raw-request";
import { createFolder, startOnFolder } from "../companion/set-up-companion";
import { createConfiguration, withFirm } from "../companion/test-configuration";
import { createSignIn } from "../firm/sign-in/firm";
import { ROOT, readText } from "./examples";

const api = readText("src/companion/API.md");
const threats = ["companion", "firm"].map((room) => readText(`src/${room}/THREATS.md`)).join("\n\n");

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
  const text = readText(path).replace(/([([])\s+/g, "$1");
  return text.includes(`(${title},`) || text.includes(`[${title},`);
}

/** "GET /companion/config" and the like, of a companion with a provider and sign-in. */
async function listRoutes(): Promise<string[]> {
  const features = withFirm({ signIn: createSignIn("https://login.example.com") });
  const configuration = createConfiguration(undefined, { mode: "relay", features });
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

/** The commands of a chapter, each with its documented status. */
function readLines(heading: string): [string, number][] {
  return [...readChapter(`## ${heading}`).matchAll(/^curl -i (.+?) +# (\d{3})\b.*$/gm)].map(
    ([, words = "", status]) => [words, Number(status)],
  );
}

/** The fields explained in the README's chapter on logs. */
const FIELDS = [
  ...(readText("src/companion/README.md").split("\n## Logs\n")[1]?.split("\n## ")[0] ?? "").matchAll(/^\| (`.+?) \|/gm),
].flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "));
const findUnexplained = (lines: readonly string[]) =>
  [...new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))))].filter((name) => !FIELDS.includes(name));

/** Reads curl's arguments: a body means POST of a form, unless they say otherwise. */
function toRequest(words: string, port: number) {
  const read = (flag: string) =>
    [...words.matchAll(new RegExp(`${flag} '([^']*)'`, "g"))].map(([, text]) => text ?? "");
  const [body] = read("-d");
  const form: Record<string, string> =
    body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const written = read("-H").map((line) => line.split(": "));
  const headers = Object.fromEntries(written.map(([name = "", text]) => [name.toLowerCase(), text]));
  const method = words.match(/-X (\w+)/)?.[1] ?? (body === undefined ? "GET" : "POST");
  const [, address = "", path = ""] = words.match(/http:\/\/([^/\s]+)(\S+)$/) ?? [];
  expect(address).toBe("localhost:3000");
  return { method, path, headers: { ...form, host: `localhost:${port}`, ...headers }, body };
}

function sendLine(words: string, port: number) {
  const { method, path, headers, body } = toRequest(words, port);
  return sendRaw(port, method, path, headers, body);
}

describe("a companion with a provider", () => {
  const lines = readLines("Refusals by hand");
  const logged: string[] = [];
  let app: FastifyInstance;
  beforeAll(async () => {
    const configuration = createConfiguration(undefined, { logLevel: "trace" });
    app = await createCompanion({
      configuration,
      webFolder: createPages(),
      log: { write: (line) => logged.push(line) },
    });
    await app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => app.close());

  it("is documented by a dozen curl commands for administrators", () => {
    expect(lines.length).toBeGreaterThanOrEqual(12);
  });

  it.each(lines)("answers %s with %d", async (words, status) => {
    expect((await sendLine(words, readPort(app))).status).toBe(status);
  });

  it("logs no field that the page does not explain", () => {
    expect(logged.length).toBeGreaterThan(12);
    expect(findUnexplained(logged)).toEqual([]);
  });
});

it("a companion with sample data is set up by the four curl commands, and then refuses their bearer", async () => {
  const folder = createFolder();
  const logged: string[] = [];
  const log = { write: (line: string) => logged.push(line) };
  const { app, port, pairings, messages } = await startOnFolder({ folder, log, environment: { LOG_LEVEL: "trace" } });
  try {
    const lines = readLines("Set-up by hand");
    const [requestLine = "", pairLine = "", createKeyLine = "", changeLine = ""] = lines.map(([words]) => words);
    const requested = await sendLine(requestLine, port);
    const { name, secret } = JSON.parse(requested.body);
    const { code } = await pairings.issue(name);
    const paired = await sendLine(pairLine.replace("ABCD-EFGH", code).replace("SECRET", secret), port);
    const { bearer } = JSON.parse(paired.body);
    const made = await sendLine(createKeyLine.replace("BEARER", bearer), port);
    const done = await sendLine(changeLine.replace("BEARER", bearer), port);
    expect([requested, paired, made, done].map(({ status }) => status)).toEqual(lines.map(([, status]) => status));
    expect(JSON.parse(made.body).publicKeyPem).toContain("BEGIN PUBLIC KEY");
    expect(JSON.parse(done.body)).toMatchObject({ sample: false, clientId: "CLIENT", keyId: "KEY" });
    expect(messages).toHaveLength(1);
    expect(logged.length).toBeGreaterThanOrEqual(3);
    expect(findUnexplained(logged)).toEqual([]);
    expect((await sendLine(changeLine.replace("BEARER", bearer), port)).status).toBe(401);
  } finally {
    await app.close();
    folder.remove();
  }
});
