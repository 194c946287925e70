import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { REFUSAL_HEADER } from "../../contract/companion-api";
import { type Configuration, readConfiguration } from "../configuration";
import { readBaseUrl, readPassphrase } from "../configuration/client";
import { ConfigurationError } from "../configuration/reading";
import { findKin, isOfProvider, type Settings } from "../configuration/settings";
import { collectSettings } from "../configuration/sources";
import { toThumbprint } from "../key";
import { createKeyIn, readKeys, type StoredKey, toKeyPath } from "../key-folder";
import type { Folder } from "../machine";
import type { Provider } from "../provider";
import { Refusal } from "../refusal";
import { createFileStore } from "../store";
import { type Pairings, toInvitationSentence } from "./pairing";

/** Settings that hold a key or name a signing program: the pane knows only keys that were made here. */
const FOREIGN_KEYS = ["FEED_PRIVATE_KEY", "FEED_SIGNER_COMMAND"];

/** Sets the companion up for a provider while it runs. */
export interface SetUp {
  /** The fields that the pane may change. */
  settable: readonly Field[];
  /**
   * Writes new settings to the person's file and applies them at once; a failure changes nothing.
   * @throws ConfigurationError listing all mistakes; Refusal (409) naming what may not be changed, (500) when it cannot be written.
   */
  change(wanted: Wanted): Promise<void>;
  /** Whether only the person gave provider settings, so that they can return to sample data. */
  isOwn: boolean;
  /**
   * Removes the provider's settings from the person's file, so that sample data answers again; keys remain.
   * @throws Refusal (409) naming what may not be changed, (500) when it cannot be written.
   */
  end(): Promise<void>;
  /** @throws Refusal (409) when the key comes from elsewhere or there are too many, (500) when it cannot be written. */
  createKey(): Promise<StoredKey>;
  listKeys(): Promise<UsedKey[]>;
}

interface SetUpOptions {
  folder: Folder;
  /** As `process.env`. */
  environment: Settings;
  /** The settings with which the companion started. */
  configuration: Configuration;
  /** The current provider. */
  provider: () => Provider;
  /** Applies settings. */
  use: (configuration: Configuration) => void;
  pairings: Pairings;
  /** Prints a line where the companion was started. */
  notify: (line: string) => void;
  /** Whether that is a terminal, where a pairing code may be shown. */
  isTerminal: boolean;
}

/** Creates the set-up of a person's own companion. */
export function createSetUp(options: SetUpOptions): SetUp {
  const { folder, environment, provider } = options;
  const given = findGiven(options);
  let last = Promise.resolve();
  // Serialised, so that the settings in force are those written last.
  const queue = (act: () => Promise<void>) => {
    const change = last.then(() => explain(act));
    last = change.catch(() => {});
    return change;
  };
  return {
    settable: FIELDS.filter((field) => !given.has(NAMES[field])),
    change: (wanted) => queue(() => changeProvider(options, given, wanted)),
    isOwn: options.configuration.given.size === 0,
    end: () => queue(() => endProvider(options)),
    async createKey() {
      if (given.has(NAMES.keyId)) throw toGiven(["keyId"]);
      return explain(() => {
        const { settings } = collectSettings(environment, { own: folder.settings }, []);
        return createKeyIn(folder.keys, { passphrase: readPassphrase(settings) });
      });
    },
    listKeys: () => explain(async () => toUsed(await readKeys(folder.keys), provider())),
  };
}

function findGiven({ configuration: { given }, environment, folder }: SetUpOptions): ReadonlySet<string> {
  if (given.has(NAMES.keyId)) return given;
  const { settings } = collectSettings(environment, { own: folder.settings }, []);
  const hasForeignKey = FOREIGN_KEYS.some((name) => settings[name]);
  return hasForeignKey ? new Set([...given, ...findKin(NAMES.keyId)]) : given;
}

async function changeProvider(options: SetUpOptions, given: ReadonlySet<string>, wanted: Wanted): Promise<void> {
  const { folder, environment } = options;
  const former = options.provider();
  await refuseGiven(wanted, given, former);
  const keys = await toUsed(await readKeys(folder.keys), former);
  const store = createFileStore<Settings>(folder.settings, {});
  const configuration = await store.change((before) => {
    const mistakes: string[] = [];
    const value = toSettings({ before, wanted, given, former, keys, folder }, mistakes);
    return { value, result: readAll(environment, value, mistakes) };
  });
  const isSame = !former.sample && configuration.provider?.baseUrl === former.baseUrl();
  options.use(configuration);
  if (isSame) return;
  // Former pairings are valid for the former provider only, even if this step is interrupted.
  const sentence = await options.pairings.revoke().then(
    () => toInvitationSentence(options.isTerminal),
    (error: Error) => error.message,
  );
  options.notify(`The provider is now ${configuration.provider?.baseUrl}, and nobody is paired. ${sentence}`);
}

async function endProvider({ folder, environment, configuration, use, pairings, notify }: SetUpOptions): Promise<void> {
  if (configuration.given.size > 0) throw toFixed([...configuration.given]);
  const store = createFileStore<Settings>(folder.settings, {});
  const without = await store.change((before) => {
    const value = Object.fromEntries(Object.entries(before).filter(([name]) => !isOfProvider(name)));
    return { value, result: readConfiguration(environment, { own: value }) };
  });
  use(without);
  await pairings.revoke();
  notify("Sample data answers now, and nobody is paired. The keys that were made here are kept.");
}

/** @throws Refusal (409) */
async function refuseGiven(wanted: Wanted, given: ReadonlySet<string>, { baseUrl, client }: Provider): Promise<void> {
  if (FIELDS.every((field) => given.has(NAMES[field]))) throw toGiven(FIELDS);
  const [{ keyId, publicKey }] = client.signers;
  const present = { baseUrl: baseUrl(), clientId: client.clientId, keyId, thumbprint: await toThumbprint(publicKey) };
  const refused = FIELDS.filter(
    (field) => given.has(NAMES[field]) && wanted[field] !== undefined && wanted[field] !== present[field],
  );
  if (refused.length > 0) throw toGiven(refused);
}

const toGiven = (fields: readonly Field[]): Refusal => toFixed(fields.map((field) => NAMES[field]));

const toFixed = (names: readonly string[]): Refusal =>
  new Refusal(
    409,
    `${names.join(", ")} cannot be changed from here: the environment or a settings file gives it. Change it there and start the companion again.`,
  );

/** @throws ConfigurationError */
function readAll(environment: Settings, own: Settings, mistakes: string[]): Configuration {
  try {
    const configuration = readConfiguration(environment, { own });
    if (mistakes.length === 0) return configuration;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    mistakes.push(...error.mistakes.map(toFormSentence));
  }
  throw new ConfigurationError(mistakes);
}

/** Passes on sentences about files and folders, which the person at the pane can act upon. */
async function explain<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal || error instanceof ConfigurationError) throw error;
    throw new Refusal(500, (error as Error).message);
  }
}

/** The fields of the pane's form, and the settings that store them. */
const NAMES = {
  baseUrl: "FEED_BASE_URL",
  clientId: "FEED_CLIENT_ID",
  keyId: "FEED_KEY_ID",
  thumbprint: "FEED_PRIVATE_KEY_FILE",
} as const;

type Field = keyof typeof NAMES;
const FIELDS = Object.keys(NAMES) as Field[];

/**
 * The requested values; fields given elsewhere may be absent. Without a thumbprint the present key stays, unless the
 * key id changes and the newest key is unused: then that one signs.
 */
type Wanted = Partial<Record<Field, string>>;

/** The inputs of the next settings. */
interface Change {
  before: Settings;
  wanted: Wanted;
  given: ReadonlySet<string>;
  former: Provider;
  keys: readonly UsedKey[];
  folder: Folder;
}

/**
 * Gives the settings to write. A new key id for the same client makes its former key the "previous" one: it signs until
 * the provider knows the new key. Another client or provider never knew that key.
 * @param mistakes Gets mistakes of the thumbprint; others show when the settings are read.
 */
function toSettings(change: Change, mistakes: string[]): Settings {
  const { before, wanted, given, former } = change;
  // Empty rather than absent: without any setting sample data would answer.
  const fields = FIELDS.filter((field) => field !== "thumbprint" && !given.has(NAMES[field]));
  const next: Settings = {
    ...before,
    ...Object.fromEntries(fields.map((field) => [NAMES[field], wanted[field] ?? ""])),
  };
  if (given.has(NAMES.keyId)) return next;
  const { FEED_KEY_ID: formerId, FEED_PRIVATE_KEY_FILE: formerPath } = before;
  const path = pickKeyPath(change, formerId === next.FEED_KEY_ID, mistakes);
  const isSameClient =
    !former.sample &&
    (wanted.clientId ?? former.client.clientId) === former.client.clientId &&
    (wanted.baseUrl === undefined || readBaseUrl({ settings: next, mistakes: [] }) === former.baseUrl());
  if (isSameClient && path === formerPath) return next;
  const isFollowed = isSameClient && formerId !== next.FEED_KEY_ID;
  return {
    ...next,
    FEED_PRIVATE_KEY_FILE: path,
    FEED_PREVIOUS_KEY_ID: isFollowed ? formerId : undefined,
    FEED_PREVIOUS_PRIVATE_KEY_FILE: isFollowed ? formerPath : undefined,
  };
}

/** Picks the key's path. An unchosen key never replaces one that signs under its id, which the provider knows. */
function pickKeyPath(
  { before, wanted, keys, folder }: Change,
  isSameKeyId: boolean,
  mistakes: string[],
): string | undefined {
  const toPath = (key: UsedKey) => toKeyPath(folder.keys, key.thumbprint);
  const chosen = keys.find(({ thumbprint }) => thumbprint === wanted.thumbprint);
  if (chosen !== undefined) return toPath(chosen);
  if (wanted.thumbprint !== undefined) mistakes.push("thumbprint is of no key that was made here.");
  const present = before.FEED_PRIVATE_KEY_FILE;
  const [newest] = keys;
  return newest?.use === "unused" && !(isSameKeyId && present) ? toPath(newest) : present;
}

/** Rewrites a mistake in the words of the form, whose reader sets no variables. */
function toFormSentence(mistake: string): string {
  if (mistake.startsWith(`${NAMES.thumbprint} is missing`)) return "No key was made here as yet: make one first.";
  return FIELDS.reduce(
    (text, field) => (field === "thumbprint" ? text : text.replaceAll(NAMES[field], field)),
    mistake,
  );
}

/** A key that was made here, with its use. */
type UsedKey = StoredKey & { keyId: string | null; use: "signing" | "previous" | "unused" };

/** Gives the use of each key by the present provider's client. */
async function toUsed(keys: readonly StoredKey[], { client }: Provider): Promise<UsedKey[]> {
  const [signing, previous] = await Promise.all(client.signers.map(({ publicKey }) => toThumbprint(publicKey)));
  const [newest, other] = client.signers;
  return keys.map((key) => {
    if (key.thumbprint === signing) return { ...key, keyId: newest.keyId, use: "signing" };
    if (key.thumbprint === previous) return { ...key, keyId: other?.keyId ?? null, use: "previous" };
    return { ...key, keyId: null, use: "unused" };
  });
}

const BODY_LIMIT_BYTES = 4096;
const MISTAKEN = "FEED_REQUEST_INVALID";

/**
 * @param setUp Absent where the pane may change nothing.
 * @param readConfig Reads the answer of GET /config.
 */
export function addSetUp(scope: FastifyInstance, setUp: SetUp | undefined, readConfig: () => Promise<object>): void {
  const paired = { pairing: "always" } as const;
  const json = { ...paired, contentType: "application/json" } as const;
  scope.put("/config", { bodyLimit: BODY_LIMIT_BYTES, config: json }, async (request, reply) => {
    const wanted = readWanted(request.body);
    try {
      await demand(setUp).change(wanted);
    } catch (error) {
      if (error instanceof ConfigurationError) return sendMistakes(request, reply, error);
      throw error;
    }
    request.log.warn({ pairing: request.pairing?.id }, "The companion was set up from the pane.");
    return readConfig();
  });
  scope.delete("/config", { config: paired }, async (request) => {
    await demand(setUp).end();
    request.log.warn({ pairing: request.pairing?.id }, "The companion was taken back to sample data from the pane.");
    return readConfig();
  });
  const making = { bodyLimit: BODY_LIMIT_BYTES, config: { ...json, limit: "keys" } } as const;
  scope.post("/keys", making, async (request, reply) => {
    if (readEntries(request.body).length > 0) throw toMistake("Send {}.");
    const key = await demand(setUp).createKey();
    request.log.info({ pairing: request.pairing?.id, thumbprint: key.thumbprint }, "A key was made from the pane.");
    return reply.code(201).send({ ...key, keyId: null });
  });
  scope.get("/keys", { exposeHeadRoute: false, config: paired }, async () => ({
    keys: await demand(setUp).listKeys(),
  }));
}

/** @throws Refusal (404) */
export function demand(setUp: SetUp | undefined): SetUp {
  if (setUp !== undefined) return setUp;
  throw new Refusal(404, "This companion is not set up from the pane. Set it up where it is started.");
}

function sendMistakes(request: FastifyRequest, reply: FastifyReply, { mistakes }: ConfigurationError): FastifyReply {
  const message = mistakes.join(" ");
  request.log.warn({ pairing: request.pairing?.id, status: 400 }, message);
  return reply
    .code(400)
    .header(REFUSAL_HEADER, MISTAKEN)
    .send({ error: { code: MISTAKEN, message, mistakes } });
}

/** @throws Refusal (400) */
function readWanted(body: unknown): Wanted {
  const entries = readEntries(body);
  for (const [name, value] of entries) {
    if (!(FIELDS as string[]).includes(name)) throw toMistake(`${FIELDS.join(", ")} can be set, and nothing else.`);
    if (typeof value !== "string") throw toMistake(`${name} must be a text.`);
  }
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text).trim()]));
}

function readEntries(body: unknown): [string, unknown][] {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return Object.entries(body);
  throw toMistake("Send a JSON object.");
}

const toMistake = (sentence: string): Refusal => new Refusal(400, sentence, MISTAKEN);
