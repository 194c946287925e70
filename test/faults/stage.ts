import { jest } from "@jest/globals";
import { createKeySigner, signAssertion } from "../../src/companion/assertion";
import type { Client } from "../../src/companion/client";
import type { Configuration } from "../../src/companion/configuration";
import { createClient } from "../companion/configured";
import { type Clock, type ClockOptions, createClock, drain } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createBearerReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { type ProviderOptions, type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";

/** Everything between a cell and a provider, for real: the provider, what spoils its answers, and a companion. */
export interface Stage {
  /** The provider itself; its controls bring about what a provider can do wrong by itself. */
  provider: RunningProvider;
  /** Stands before the provider and answers in its place what a test wants it to. */
  faultProxy: FaultProxy;
  companion: RunningCompanion;
  /** As whom the companion signs, and with which keys; a test may give it others. */
  client: Client;
  /** Reads the provider itself, past meddler and companion: the truth that cells are compared with. */
  read: Read;
  /** Opens a page of the companion, paired and connected, whose formulas a test types; all are of one browser. */
  open(options?: ClockOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  formulas: Formulas;
  /** Waits of batches, retries and grace pass by themselves; longer ones are for the test to reach. */
  clock: Clock;
  /** Resolves when nothing is under way any more but a pause: each request, retry and wait has a timer of the clock. */
  rest(): Promise<void>;
  close(): void;
}

export interface StageOptions extends Omit<ProviderOptions, "seenAs"> {
  /** Default "direct": pages ask the provider themselves; "proxy" has the companion's relay in between. */
  transport?: Configuration["transport"];
  /** Default "sign"; with "relay" the companion has the token as well. */
  mode?: Configuration["mode"];
}

const HURRY_MS = 2_000;

/** Sets the stage once for the tests of a file; each test resets the provider's controls and the meddler. */
export async function setStage({ transport = "direct", mode, ...options }: StageOptions = {}): Promise<Stage> {
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

/** The provider takes an assertion for the address that it is known by. */
async function createTruth({ clientId, kid, privateKey, baseUrl }: RunningProvider, seenAs: string): Promise<Read> {
  const signer = createKeySigner(kid, privateKey);
  const { assertion } = await signAssertion(clientId, signer, `${seenAs}/token`, Date.now());
  return createBearerReading(baseUrl, `${baseUrl}/token`, { clientId, assertion });
}

/** The first page pairs, since a companion takes few codes a minute. */
function createOpening({ origin, pairings }: RunningCompanion): Stage["open"] {
  const storage = createStorage();
  let isPaired = false;
  return async (options) => {
    const page = await openPage(origin, { storage, ...options });
    if (!isPaired) await page.formulas.session.pair(await pairings.issueSent());
    isPaired = true;
    return page;
  };
}

/** Opens a page at a companion, of a browser of its own where no storage is given. */
export async function openPage(origin: string, options: ClockOptions): Promise<Page> {
  const clock = createClock({ hurryMs: HURRY_MS, startMs: Date.now(), ...options });
  jest.doMock("../../src/client/ports", () => ({ createPorts: () => clock.ports }));
  const formulas = await loadFormulas(origin);
  jest.dontMock("../../src/client/ports");
  return {
    formulas,
    clock,
    async rest() {
      do await drain();
      while (clock.timers() > Math.min(formulas.session.pauses.list().length, 1)); // what pauses is asked again
    },
    close: formulas.close,
  };
}
