import { jest } from "@jest/globals";
import { createKeySigner, signAssertion } from "../../src/companion/assertion";
import type { Client } from "../../src/companion/client";
import type { Configuration } from "../../src/companion/configuration";
import { createClient } from "../companion/test-configuration";
import { type Clock, type ClockOptions, createClock, drain } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createBearerReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { type ProviderOptions, type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { until } from "../support/until";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";

/** A real chain from cell to provider: the provider, the fault proxy, and a companion. */
export interface TestBed {
  /** The provider; its controls cause faults of a provider itself. */
  provider: RunningProvider;
  /** The proxy before the provider, which answers as a test says. */
  faultProxy: FaultProxy;
  companion: RunningCompanion;
  /** The client and keys that the companion signs with; a test may change them. */
  client: Client;
  /** Reads the provider directly, past fault proxy and companion: the truth for cells. */
  read: Read;
  /** Opens a paired and connected page for a test's formulas; all pages share one browser. */
  open(options?: ClockOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  formulas: Formulas;
  /** Delays of batches, retries and grace pass by themselves; a test advances longer ones. */
  clock: Clock;
  /** Resolves when nothing but a pause is pending: each request, retry and wait has a timer of the clock. */
  rest(): Promise<void>;
  close(): void;
}

export interface TestBedOptions extends Omit<ProviderOptions, "seenAs"> {
  /** Default "direct": pages reach the provider themselves; "proxy" uses the companion's relay. */
  transport?: Configuration["transport"];
  /** Default "sign"; with "relay" the companion holds the token too. */
  mode?: Configuration["mode"];
}

const HURRY_MS = 2_000;

/** Creates the chain once for the tests of a file; each test resets the provider's controls and the fault proxy. */
export async function createTestBed({ transport = "direct", mode, ...options }: TestBedOptions = {}): Promise<TestBed> {
  let seenAs = "";
  const provider = await startSandbox({ companies: 200, ...options, seenAs: () => seenAs });
  const faultProxy = await startFaultProxy(provider.baseUrl);
  seenAs = faultProxy.url;
  const client: Client = createClient(provider.clientId, provider.kid, provider.privateKey);
  const companion = await startCompanion({
    provider: { ...provider, baseUrl: faultProxy.url },
    client,
    transport,
    ...(mode && { mode }),
  });
  return {
    provider,
    faultProxy,
    companion,
    client,
    read: await createTruth(provider, faultProxy.url),
    open: createOpening(companion),
    async close() {
      await companion.close();
      await faultProxy.close();
      await provider.close();
    },
  };
}

/** The provider accepts an assertion for its public address. */
async function createTruth({ clientId, kid, privateKey, baseUrl }: RunningProvider, seenAs: string): Promise<Read> {
  const signer = createKeySigner(kid, privateKey);
  const { assertion } = await signAssertion(clientId, signer, `${seenAs}/token`, Date.now());
  return createBearerReading(baseUrl, `${baseUrl}/token`, { clientId, assertion });
}

/** The first page pairs, since a companion accepts few codes a minute. */
function createOpening({ origin, pairings }: RunningCompanion): TestBed["open"] {
  const storage = createStorage();
  let isPaired = false;
  return async (options) => {
    const page = await openPage(origin, { storage, ...options });
    if (!isPaired) await page.formulas.session.pair(await pairings.issueSent());
    isPaired = true;
    return page;
  };
}

/** Opens a page at a companion, by default in a browser of its own. */
export async function openPage(origin: string, options: ClockOptions): Promise<Page> {
  const clock = createClock({ hurryMs: HURRY_MS, startMs: Date.now(), ...options });
  jest.doMock("../../src/client/ports", () => ({ createPorts: () => clock.ports }));
  const formulas = await loadFormulas(origin);
  jest.dontMock("../../src/client/ports");
  return {
    formulas,
    clock,
    async rest() {
      // Paused queries are refetched.
      await until(async () => {
        await drain();
        return clock.timers() <= Math.min(formulas.session.pauses.list().length, 1);
      });
    },
    close: formulas.close,
  };
}
