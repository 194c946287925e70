import { jest } from "@jest/globals";
import type { Settings } from "../../src/session/settings";
import { type ClockOptions, createClock, drain } from "./clock";
import { loadFormulas } from "./formula-cells";
import { type Answering, type Received, startServer } from "./http-server";
import { answerCompanion } from "./plain-provider";
import { until } from "./until";

/** A page with formulas, in this process. */
export type Page = Awaited<ReturnType<typeof openPage>>;

/** Delays of batches, retries and grace pass by themselves; a test advances longer ones. */
const HURRY_MS = 2_000;

/** Opens a page at a companion, by default at the present time. */
export async function openPage(origin: string, options: ClockOptions) {
  const clock = createClock({ hurryMs: HURRY_MS, startMs: Date.now(), ...options });
  jest.doMock("../../src/client/ports", () => ({ createPorts: () => clock.ports }));
  const formulas = await loadFormulas(origin);
  jest.dontMock("../../src/client/ports");
  return {
    formulas,
    clock,
    /** Resolves when nothing is pending: each request, retry and wait has a timer of the clock, a pause one in all. */
    rest: (): Promise<void> =>
      until(async () => {
        await drain();
        return clock.timers() <= Math.min(formulas.session.pauses.list().length, 1);
      }),
    close: formulas.close,
  };
}

/** Formulas at a companion and a provider with a test's answers. */
export type ScriptedFormulas = Awaited<ReturnType<typeof startScriptedFormulas>>;

export interface ScriptOptions {
  /** Time at the start, milliseconds since the Unix epoch; default 2024-11-20T09:30:00Z. */
  startMs?: number;
  settings?: Partial<Settings>;
}

/**
 * Loads the formulas as a page of a companion that signs, issues tokens and is the provider too, without a base path.
 * `answer` can answer anything; the rest is 404.
 */
export async function startScriptedFormulas(
  answer: (request: Received) => Answering | undefined,
  { startMs = Date.UTC(2024, 10, 20, 9, 30), settings }: ScriptOptions = {},
) {
  let issued = 0;
  const server = await startServer(
    (request) => answer(request) ?? answerCompanion(request.path, server.url, ++issued) ?? { status: 404, json: {} },
  );
  const page = await openPage(server.url, { startMs });
  if (settings !== undefined) page.formulas.session.change(settings);
  return {
    ...page,
    /** All requests so far, configuration, assertion and token included. */
    requests: server.requests as readonly Received[],
    async close(): Promise<void> {
      page.close();
      await server.close();
    },
  };
}

/** Whether a request is for configuration, assertion or token. */
export const isCredential = ({ path }: Received): boolean => CREDENTIAL_PATHS.includes(path);

const CREDENTIAL_PATHS = ["/companion/config", "/companion/assertion", "/token"];

/** A provider without data: empty lists, an empty tree, and no company. */
export function answerEmpty({ path }: Received): Answering | undefined {
  if (path.endsWith("/tree")) return { json: [] };
  const isList = /(\/companies|\/company-pages|\/industries|\/financials)$/.test(path);
  return isList ? { json: { data: [], page: 1, pageSize: 25, total: 0 } } : undefined;
}
