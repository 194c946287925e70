import { type KeyObject, randomUUID } from "node:crypto";
import { createPairings, type Pairings, type ProviderPairings } from "../../src/companion/api/pairing";
import { createMemoryPairings } from "../../src/companion/api/pairing-state";
import { createKeySigner } from "../../src/companion/assertion";
import type { Configuration } from "../../src/companion/configuration";
import { DIRECT } from "../../src/companion/network";
import type { Provider } from "../../src/companion/provider";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../../src/contract/companion-api";
import { type ConfiguredFirm, configureFirm } from "../../src/firm";
import { type Firm, readFirm } from "../../src/firm/configuration";
import type { FirmStores } from "../../src/firm/stores";
import { createMemoryStores } from "../../src/firm/stores/memory";
import { createRedisStores } from "../../src/firm/stores/redis";
import { readTestKey } from "../support/keys";

export const { privateKey, publicKey } = readTestKey("configured");

export const createClient = (clientId = "client-1", keyId = "kid-1", key: KeyObject = privateKey) => ({
  clientId,
  signers: [createKeySigner(keyId, key)] as const,
});

/** The features of a companion with these settings of a firm. */
export const withFirm = (firm: Partial<Firm> = {}) => [
  configureFirm({ ...readFirm({ settings: {}, mistakes: [] }), ...firm }),
];

/** The settings of a firm in a configuration. */
export const toFirm = ({ features }: Configuration): Firm => (features[0] as ConfiguredFirm).firm;

export function createConfiguration(
  baseUrl = "https://feed.example.com/base",
  settings: Partial<Configuration> = {},
): Configuration {
  const plain = {
    host: "127.0.0.1",
    port: 0,
    sampleWeeks: 0,
    logLevel: "silent",
    origins: [],
    hasPlayground: true,
    given: new Set<string>(),
    features: withFirm(),
    network: DIRECT,
  };
  return { ...plain, mode: "sign", transport: "proxy", provider: { baseUrl, client: createClient() }, ...settings };
}

/** The provider to sign for; the sandbox with `sample`. */
export const createProvider = (baseUrl = "https://feed.example.com/base", sample = false): Provider => ({
  sample,
  baseUrl: () => baseUrl,
  client: createClient(),
});

/** The pairings of a companion that signs for this provider. */
export const openFor = (pairings: Pairings, provider = createProvider()): TestPairings => ({
  ...pairings,
  ...pairings.of(() => provider),
  issueSent: () => issueSent(pairings),
});

export interface TestPairings extends Pairings, ProviderPairings {
  /** Requests a code as a page does, and gives it in the page's form. */
  issueSent(): Promise<string>;
}

async function issueSent(pairings: Pairings): Promise<string> {
  const { name, secret } = await pairings.createRequest("https://localhost:3000");
  return `${(await pairings.issue(name)).code}.${secret}`;
}

/** Empty pairings, in memory or on the server of `npm run test:redis`; a test pairs for its companion's provider. */
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

export async function pairHeaders(pairings: TestPairings, origin: string): Promise<Record<string, string>> {
  const { bearer } = await pairings.pair(await pairings.issueSent(), origin);
  return { [CLIENT_HEADER]: CLIENT_NAME, [PAIRING_HEADER]: bearer };
}

/** A companion's stores in a test, besides its pairings. */
export function createTestStores(pairings: Pairings): FirmStores {
  const shared = openOnServer();
  return shared ? { ...shared, pairings } : createMemoryStores(pairings);
}

/** The server that `npm run test:redis` starts; without it, memory stores. */
const { TEST_STORE } = process.env;
const opened: FirmStores[] = [];

function openOnServer(): FirmStores | undefined {
  if (TEST_STORE === undefined) return undefined;
  const stores = createRedisStores(TEST_STORE, { prefix: `${randomUUID()}:`, log: () => {} });
  opened.push(stores);
  return stores;
}

/** Closes the stores that tests opened on the server; the test script registers it. */
export const closeTestStores = () => Promise.all(opened.map((stores) => stores.close()));
