import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { scripts } from "../../package.json";
import { createPairings } from "../../src/companion/api/pairing";
import { createFilePairings } from "../../src/companion/api/pairing-state";
import { runTool, toFolder } from "../../src/companion/machine";
import { createMachine, removeMachines, type TestMachine } from "../companion/installation/machine";
import { openFor } from "../companion/test-configuration";
import { findPort } from "../support/free-port.mjs";
import { type RunningProvider, startSandbox } from "../support/provider";
import { toFile, toParts, toSheet } from "../xlsx/files";
import { DOCUMENT_FILES, ROOT, readText } from "./examples";

const documents = DOCUMENT_FILES.map(readText).join("\n");

/** Commands that documents name without what they need. */
const NAMED = ["refresh", "query", "mcp"];
const BOOK = "Sample workbook.xlsx";

/** The companion's command lines, as whole ones or as code like `pair --list`; capitals stand for words of the reader's. */
const COMMANDS = [
  ...documents.matchAll(/npm run companion -- ([a-z][^`\n]*)/g),
  ...documents.matchAll(/(?:^ *|`)(?:\.\/)?feed ([a-z][^`\n]*)/gm),
  ...documents.matchAll(/`((?:start|keygen|check|pair|unpair|certs|manifest) [^`\n]+)`/g),
]
  .map(([, words = ""]) => words.trim())
  .filter((words) => !NAMED.includes(words));

let sandbox: RunningProvider;
let machine: TestMachine;
let settings: Record<string, string>;
let companions: FastifyInstance[];

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 10 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  companions = [];
  machine = createMachine("linux");
  mkdirSync(machine.folder, { recursive: true, mode: 0o700 });
  const keyFile = join(machine.folder, "key.pem");
  writeFileSync(keyFile, sandbox.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  settings = {
    FEED_BASE_URL: sandbox.baseUrl,
    FEED_CLIENT_ID: sandbox.clientId,
    FEED_KEY_ID: sandbox.kid,
    FEED_PRIVATE_KEY_FILE: keyFile,
    PORT: String(await findPort()),
    LOG_LEVEL: "silent",
  };
});

afterEach(async () => {
  await Promise.all(companions.map((app) => app.close()));
  removeMachines();
});

/** Splits a command line as a shell does, into words and quoted ones. */
const split = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");

/** Puts real words in the place of those that the documents leave to the reader. */
async function complete(words: string): Promise<string[]> {
  const pairings = openFor(createPairings(createFilePairings(toFolder(machine.folder).pairings), Date.now));
  const { name } = await pairings.createRequest("https://localhost:3000");
  const file = join(machine.folder, "settings.json");
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const real: Record<string, string> = {
    NAME: name,
    FILE: file,
    "settings.json": file,
    "manifest.xml": join(machine.folder, "manifest.xml"),
    "report.json": join(machine.folder, "report.json"),
    FOLDER: makeBooks(),
  };
  return split(words).map((word) => (word.endsWith(".xlsx") ? join(makeBooks(), BOOK) : (real[word] ?? word)));
}

/** Makes a folder with the workbook that documents refresh. */
function makeBooks(): string {
  const folder = join(machine.folder, "books");
  mkdirSync(folder, { recursive: true });
  const cell = '<c r="A1"><f>_xldudf_FEED_RANKING("2024-01",,1,"totalPageViews",,FALSE)</f><v>1</v></c>';
  writeFileSync(join(folder, BOOK), toFile(toParts(toSheet(`<row r="1">${cell}</row>`))));
  return folder;
}

/** Runs a command in a process of its own: formulas without Excel are one workbook's. */
async function runInProcess(words: string): Promise<string[]> {
  const call = [join(ROOT, "dist/companion/main.mjs"), ...(await complete(words))];
  const environment = { PATH: process.env.PATH, XDG_CONFIG_HOME: join(machine.folder, ".."), ...settings };
  const { code, output } = (await runTool(process.execPath, call, { environment })) ?? {};
  expect(code).toBe(0);
  return [output ?? ""];
}

async function run(words: string): Promise<string[]> {
  if (/^(refresh|query)\b/.test(words)) return runInProcess(words);
  const isOfProvider = /^(check|doctor|install)/.test(words);
  const { PORT, LOG_LEVEL } = settings;
  return machine.run(await complete(words), {
    environment: { ...machine.environment, ...(isOfProvider ? settings : { PORT, LOG_LEVEL }) },
    webFolder: join(ROOT, "dist/web"),
    promptSecret: async () => "a long passphrase",
    onListen: (app) => companions.push(app),
  });
}

describe("the companion's commands in the documents", () => {
  it("are some of every kind that a reader needs", () => {
    const kinds = new Set(COMMANDS.map((words) => words.split(" ")[0]));
    expect([...kinds].toSorted()).toEqual([
      ...["certs", "check", "doctor", "install", "keygen", "manifest"],
      ...["pair", "query", "refresh", "service", "skill", "start", "uninstall", "unpair"],
    ]);
  });

  it.each([...new Set(COMMANDS)])("run as they are written: %s", async (words) => {
    // As in the documents, these come after the set-up.
    if (/^(check|doctor)/.test(words)) await run("install");
    if (words === "doctor") await run("start --https");
    expect((await run(words)).join("")).not.toBe("");
  });
});

describe("the scripts in the documents", () => {
  const named = [...documents.matchAll(/npm (?:run )?(?!ci\b|install\b)([a-z][a-z:]+)/g)].map(
    ([, name]) => name as string,
  );

  it("exist", () => {
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(["start", "test", "dev", "check"]));
  });

  it("are all in the documents but for parts of others", () => {
    const parts = ["check:types", "check:lint", "check:contract"];
    expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual(parts);
  });

  it("in README.md are one to run it and one to test it", () => {
    const readme = readText("README.md");
    expect([...readme.matchAll(/^npm .+$/gm)].map(([line]) => line)).toEqual([
      "npm ci && npm start",
      "npm ci && npm test",
    ]);
  });
});
