import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { createCompanion } from "../../src/companion/companion";
import { readConfiguration } from "../../src/companion/configuration";
import type { Settings } from "../../src/companion/configuration/settings";
import { toFolder } from "../../src/companion/folder";
import { describeKey, toKeyPath } from "../../src/companion/key-folder";
import type { LogSink } from "../../src/companion/log";
import { writeWhole } from "../../src/companion/store";
import { readTestKey } from "../support/keys";
import { createPages } from "./pages-folder";
import { SAMPLE_CLIENT } from "./paired-companion";
import { readPort, sendRaw } from "./raw-request";
import { createTestPairings, createTestStores, pairHeaders, type TestPairings } from "./test-configuration";

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

export interface SetUpStart {
  folder: TestFolder;
  environment?: Settings;
  pairings?: TestPairings;
  log?: LogSink;
  /** The pages to serve; default empty ones. */
  webFolder?: string;
  /** Default true. */
  isTerminal?: boolean;
  /** Absent if the companion offers no set-up. */
  isOffered?: boolean;
}

/** Starts a companion on a person's folder, with a paired page. */
export async function startOnFolder(start: SetUpStart) {
  const {
    folder,
    pairings = createTestPairings(),
    log,
    isTerminal = true,
    isOffered = true,
    webFolder = createPages(),
  } = start;
  const environment = { ...OTHERS, ...start.environment };
  const messages: string[] = [];
  const app = await createCompanion({
    configuration: readConfiguration(environment, { own: folder.settings }),
    webFolder,
    sample: { companies: 50, client: SAMPLE_CLIENT },
    stores: createTestStores(pairings),
    log,
    notify: (line) => messages.push(line),
    isTerminal,
    ...(isOffered && { folder, environment }),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = readPort(app);
  const pair = () => pairHeaders(pairings, `http://localhost:${port}`);
  const send = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
    const type = body === undefined ? {} : JSON_TYPE;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await sendRaw(port, method, `/companion${path}`, { ...type, ...headers }, text);
    return { status: answer.status, headers: answer.headers, json: answer.body && JSON.parse(answer.body) };
  };
  return { app, port, messages, pairings, pair, send, headers: await pair() };
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
