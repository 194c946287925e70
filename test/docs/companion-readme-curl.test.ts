import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import { createPages } from "../companion/pages-folder";
import { readPort, sendRaw } from "../companion/raw-request";
import { createFolder, startOnFolder } from "../companion/set-up-companion";
import { createConfiguration } from "../companion/test-configuration";

const readPage = (name: string) => readFileSync(join(__dirname, "../../src/companion", name), "utf8");
const api = readPage("API.md");

/** The commands of a chapter, each with its documented status. */
function readLines(heading: string): [string, number][] {
  const chapter = api.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`)) ?? "";
  return [...chapter.matchAll(/^curl -i (.+?) +# (\d{3})\b.*$/gm)].map(([, words = "", status]) => [
    words,
    Number(status),
  ]);
}

/** The fields explained in the README's chapter on logs. */
const FIELDS = [
  ...(readPage("README.md").split("\n## Logs\n")[1]?.split("\n## ")[0] ?? "").matchAll(/^\| (`.+?) \|/gm),
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

describe("a companion with sample data", () => {
  it("is set up by the four curl commands, and then refuses their bearer", async () => {
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
});
