import { type KeyObject, randomUUID } from "node:crypto";
import { createPairings, type Pairings, type ProviderPairings } from "../../src/companion/api/pairing";
import { createMemoryPairings } from "../../src/companion/api/pairing-state";
import { createKeySigner } from "../../src/companion/assertion";
import type { Configuration } from "../../src/companion/configuration";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import type { Provider } from "../../src/companion/provider";
import type { Stores } from "../../src/companion/stores";
import { createMemoryStores } from "../../src/companion/stores/memory";
import { createRedisStores } from "../../src/companion/stores/redis";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../../src/contract/companion-api";
import { readTestKey } from "../support/keys";

export const { privateKey, publicKey } = readTestKey("configured");

/** A client that signs with one key. */
export const createClient = (clientId = "client-1", keyId = "kid-1", key: KeyObject = privateKey) => ({
  clientId,
  signers: [createKeySigner(keyId, key)] as const,
});

/** The settings of a companion with a provider, as a test wants them. */
export function createConfiguration(
  baseUrl = "https://feed.example.com/base",
  settings: Partial<Configuration> = {},
): Configuration {
  const plain = {
    host: "127.0.0.1",
    port: 0,
    logLevel: "silent",
    origins: [],
    hasPlayground: true,
    given: new Set<string>(),
    firm: NO_FIRM,
  };
  return { ...plain, mode: "sign", transport: "proxy", provider: { baseUrl, client: createClient() }, ...settings };
}

/** Whom a test's companion signs to; the sample data with `sample`. */
export const createProvider = (baseUrl = "https://feed.example.com/base", sample = false): Provider => ({
  sample,
  baseUrl: () => baseUrl,
  client: createClient(),
});

/** The pairings as a companion has them that signs to this provider. */
export const openFor = (pairings: Pairings, provider = createProvider()): TestPairings => ({
  ...pairings,
  ...pairings.of(() => provider),
  issueSent: () => issueSent(pairings),
});

export interface TestPairings extends Pairings, ProviderPairings {
  /** Asks for a code as a page does, and gives it as that page sends it. */
  issueSent(): Promise<string>;
}

async function issueSent(pairings: Pairings): Promise<string> {
  const { name, secret } = await pairings.ask("https://localhost:3000");
  return `${(await pairings.issue(name)).code}.${secret}`;
}

/** Pairings of this process, none as yet; what a test pairs is paired for whom the companion on them signs to. */
export function createTestPairings(): TestPairings {
  const pairings = openOnServer()?.pairings ?? createPairings(createMemoryPairings(), Date.now);
  let own: ProviderPairings;
  return {
    ...pairings,
    of: (provider) => {
      own = pairings.of(provider);
      return own;
    },
    pair: (written, origin) => own.pair(written, origin),
    pairPerson: (signedIn, origin) => own.pairPerson(signedIn, origin),
    find: (bearer, origin) => own.find(bearer, origin),
    issueSent: () => issueSent(pairings),
  };
}

/** Pairs a page of an origin and gives the headers that it then sends. */
export async function pairHeaders(pairings: TestPairings, origin: string): Promise<Record<string, string>> {
  const { bearer } = await pairings.pair(await pairings.issueSent(), origin);
  return { [CLIENT_HEADER]: CLIENT_NAME, [PAIRING_HEADER]: bearer };
}

/** What a companion remembers in a test, beside its pairings. */
export function createTestStores(pairings: Pairings): Stores {
  const shared = openOnServer();
  return shared ? { ...shared, pairings } : createMemoryStores(pairings);
}

/** The server that `npm run test:redis` starts; without it everything is kept in memory. */
const { TEST_STORE } = process.env;
const opened: Stores[] = [];

function openOnServer(): Stores | undefined {
  if (TEST_STORE === undefined) return undefined;
  const stores = createRedisStores(TEST_STORE, { prefix: `${randomUUID()}:`, log: () => {} });
  opened.push(stores);
  return stores;
}

/** Closes what tests opened on the server; the script that has one registers it. */
export const closeTestStores = () => Promise.all(opened.map((stores) => stores.close()));
