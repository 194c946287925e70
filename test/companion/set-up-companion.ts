import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import type { CompanionOptions } from "../../src/companion/companion";
import { readConfiguration } from "../../src/companion/configuration";
import type { Settings } from "../../src/companion/configuration/settings";
import { describeKey, toKeyPath } from "../../src/companion/key-folder";
import { toFolder } from "../../src/companion/machine";
import { writeWhole } from "../../src/companion/store";
import { readTestKey } from "../support/keys";
import { startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { pairHeaders, type TestPairings } from "./test-configuration";

const JSON_TYPE = { "content-type": "application/json" };
const OTHERS = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };

/** The fields of the form. */
export const WANTED = { baseUrl: "https://feed.example.com/base", clientId: "client-1", keyId: "kid-1" };

/** Creates a person's folder path, not yet on disk. */
export function createFolder() {
  const path = join(mkdtempSync(join(tmpdir(), "feed-set-up-")), "feed-for-excel");
  return { ...toFolder(path), path, remove: () => rmSync(join(path, ".."), { recursive: true }) };
}
export type TestFolder = ReturnType<typeof createFolder>;

/** Writes a person's settings as the form does, with a key of the tests. */
export async function fillFolder(folder: TestFolder, settings: Settings = {}): Promise<string> {
  const { privateKey, publicKey } = readTestKey("set-up");
  const { thumbprint, publicKeyPem } = await describeKey(publicKey);
  const { baseUrl: FEED_BASE_URL, clientId: FEED_CLIENT_ID, keyId: FEED_KEY_ID } = WANTED;
  const FEED_PRIVATE_KEY_FILE = toKeyPath(folder.keys, thumbprint);
  writeWhole(FEED_PRIVATE_KEY_FILE, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  writeWhole(`${FEED_PRIVATE_KEY_FILE}.pub`, publicKeyPem);
  const own = { FEED_BASE_URL, FEED_CLIENT_ID, FEED_KEY_ID, FEED_PRIVATE_KEY_FILE, ...settings };
  writeWhole(folder.settings, JSON.stringify(own));
  return thumbprint;
}

export const readSettings = (folder: TestFolder): Record<string, string> =>
  JSON.parse(readFileSync(folder.settings, "utf8"));

/** By default at a terminal, with pages of its own. */
export type SetUpStart = Partial<Pick<CompanionOptions, "webFolder" | "log" | "isTerminal">> & {
  folder: TestFolder;
  environment?: Settings;
  pairings?: TestPairings;
  /** Whether the companion offers the set-up; default true. */
  isOffered?: boolean;
};

/** Starts a companion on a person's folder, with a paired page. */
export async function startOnFolder({ folder, isOffered = true, environment: given, ...options }: SetUpStart) {
  const environment = { ...OTHERS, ...given };
  const messages: string[] = [];
  const companion = await startPaired({
    configuration: readConfiguration(environment, { own: folder.settings }),
    sample: { companies: 50 },
    notify: (line) => messages.push(line),
    isTerminal: true,
    ...(isOffered && { folder, environment }),
    ...options,
  });
  const { port, pairings, paired: headers } = companion;
  const pair = () => pairHeaders(pairings, `http://localhost:${port}`);
  const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
    const type = body === undefined ? {} : JSON_TYPE;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await sendRaw(port, method, `/companion${path}`, { ...type, ...headers }, text);
    return { status: answer.status, headers: answer.headers, json: answer.body && JSON.parse(answer.body) };
  };
  return { ...companion, messages, pair, send, headers };
}
export type OnFolder = Awaited<ReturnType<typeof startOnFolder>>;

/** Gives each test of a file an empty person's folder, and closes the companion started on it. */
export function openFolder() {
  const folder = createFolder();
  let app: FastifyInstance | undefined;
  afterEach(async () => {
    await app?.close();
    rmSync(folder.path, { recursive: true, force: true });
  });
  afterAll(() => folder.remove());
  const start = async (options: Omit<SetUpStart, "folder"> = {}): Promise<OnFolder> => {
    const running = await startOnFolder({ folder, ...options });
    app = running.app;
    return running;
  };
  /** Starts on settings of a provider, with a key of the tests. */
  const startFilled = async (options: Omit<SetUpStart, "folder"> = {}, settings: Settings = {}) => {
    const thumbprint = await fillFolder(folder, settings);
    return { ...(await start(options)), thumbprint };
  };
  return { folder, start, startFilled };
}
