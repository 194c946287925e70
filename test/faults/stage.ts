import { jest } from "@jest/globals";
import type { Configuration } from "../../src/companion/configuration";
import { type Clock, type ClockOptions, createClock, drain } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { type ProviderOptions, type RunningProvider, startSandbox } from "../support/provider";
import { type Meddler, startMeddler } from "./meddler";

/** Everything between a cell and a provider, for real: the provider, what spoils its answers, and a companion. */
export interface Stage {
  /** The provider itself; its controls bring about what a provider can do wrong by itself. */
  provider: RunningProvider;
  /** Stands before the provider and answers in its place what a test wants it to. */
  meddler: Meddler;
  companion: RunningCompanion;
  /** Opens a page of the companion, paired and connected, whose formulas a test types. */
  open(options?: ClockOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  formulas: Formulas;
  /** Waits of batches, retries and grace pass by themselves; longer ones are for the test to reach. */
  clock: Clock;
  /** Resolves when nothing is under way any more: each request, retry and wait has a timer of the clock. */
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
  const meddler = await startMeddler(provider.baseUrl);
  seenAs = meddler.url;
  const companion = await startCompanion({
    provider: { ...provider, baseUrl: meddler.url },
    transport,
    ...(mode && { mode }),
  });
  return {
    provider,
    meddler,
    companion,
    open: (clockOptions) => openPage(companion, clockOptions),
    async close() {
      await companion.close();
      await meddler.close();
      await provider.close();
    },
  };
}

async function openPage(companion: RunningCompanion, options: ClockOptions = {}): Promise<Page> {
  const clock = createClock({ hurryMs: HURRY_MS, startMs: Date.now(), ...options });
  jest.doMock("../../src/feed/ports", () => ({ createPorts: () => clock.ports }));
  const formulas = loadFormulas(companion.origin);
  jest.dontMock("../../src/feed/ports");
  await formulas.session.pair(await companion.pairings.issue());
  return {
    formulas,
    clock,
    async rest() {
      do await drain();
      while (clock.timers() > 0);
    },
    close: formulas.close,
  };
}
