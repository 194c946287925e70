import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import { createConfiguration } from "../companion/configured";
import { createPages } from "../companion/pages-folder";
import { readPort, sendRaw } from "../companion/raw-request";

const readme = readFileSync(join(__dirname, "../../src/companion/README.md"), "utf8");
const lines = [...readme.matchAll(/^curl -i (.+?) +# (\d{3})\b.*$/gm)].map(
  ([, words, status]) => [words, Number(status)] as [string, number],
);

let app: FastifyInstance;
beforeAll(async () => {
  app = await createCompanion({ configuration: createConfiguration(), webFolder: createPages() });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

/** What curl makes of its words: a body means POST of a form, unless they say otherwise. */
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

it("shows by a dozen lines of curl what an administrator may try", () => {
  expect(lines.length).toBeGreaterThanOrEqual(12);
});

it.each(lines)("answers %s with %d", async (words, status) => {
  const { method, path, headers, body } = toRequest(words, readPort(app));
  expect((await sendRaw(readPort(app), method, path, headers, body)).status).toBe(status);
});
