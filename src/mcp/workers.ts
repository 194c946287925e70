import { Worker } from "node:worker_threads";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyInstance, FastifyRequest, InjectOptions } from "fastify";
import { type Address, toOrigin } from "../companion/address";
import { explainStore, type Person, type SignedIn } from "../companion/api/pairing";
import type { Provider } from "../companion/provider";
import { BusyRefusal } from "../companion/refusal";
import type { Stores } from "../companion/stores";
import { PAIRING_HEADER } from "../contract/companion-api";
import type { CompanionAnswer, CompanionRequest, FromWorker, ToWorker, WorkerOptions } from "./worker-messages";

/** People whose agents work at the same time, in one process. */
const MOST_WORKERS = 4;
const IDLE_MS = 10 * 60_000;
/** A worker that needs more ends, and no other one. */
const LARGEST_HEAP_MB = 160;
const BUSY_MS = 10_000;
const API = "/companion/";

/** What workers need of the companion. */
export interface WorkersOptions {
  address: Address;
  provider: () => Provider;
  /** The folder of the built pages. */
  webFolder: string;
  stores: Pick<Stores, "pairings">;
}

/** A person's worker: a thread with a server of their own. */
export type PersonWorker = ReturnType<typeof openWorker>;

/** A client's session, as its worker sees it. */
export interface WorkerSession {
  readonly id: string;
  /** The messages by which it was initialised, which a later worker gets first. */
  readonly handshake: readonly JSONRPCMessage[];
  /** Whether the client waits for an answer. */
  isWaiting(): boolean;
  /** Sends a message of the worker to the client. */
  send(message: JSONRPCMessage, relatedTo: RequestId | undefined): void;
  /** Answers each waiting request by an error, since the worker has ended. */
  fail(): void;
}

/** Names a person with these roles: whoever has other roles, even the same person, shares no worker and no session. */
export const toOwner = ({ id, roles }: Person): string => JSON.stringify([id, ...[...roles].sort()]);

/** Creates the workers of people whose agents ask: a thread for each, which shares no memory with another's. */
export function createWorkers(app: FastifyInstance, { address, provider, stores, webFolder }: WorkersOptions) {
  const pairings = stores.pairings.of(provider);
  /** By name, in the order of their last use. */
  const workers = new Map<string, PersonWorker>();
  const open = (name: string): PersonWorker => {
    evictIdle(workers);
    const { sample, baseUrl, client } = provider();
    const source: WorkerOptions["source"] = sample
      ? { client: null, provider: "sample", mode: "sample" }
      : { client: client.clientId, provider: baseUrl(), mode: "pairing" };
    const forget = () => workers.get(name) === worker && workers.delete(name);
    const worker = openWorker(app, { url: toOrigin(address), source, webFolder }, forget);
    return worker;
  };
  const pair = async (signedIn: SignedIn, request: FastifyRequest): Promise<string> => {
    const { person } = signedIn;
    const { id, bearer } = await explainStore(request.log, () => pairings.pairPerson(signedIn, toOrigin(address)));
    request.pairingChange = { event: "paired", pairing: { id, person } };
    request.log.info({ pairing: id, person: person.id, name: person.name }, "An agent was paired.");
    return bearer;
  };
  return {
    /**
     * Gives a person's worker, which reads as they may until their token ends.
     * @throws Refusal (429 where all workers are at work for others; 503 where nobody can be paired)
     */
    async take(signedIn: SignedIn, request: FastifyRequest): Promise<PersonWorker> {
      const name = toOwner(signedIn.person);
      const worker = workers.get(name) ?? open(name);
      workers.delete(name);
      workers.set(name, worker);
      if (signedIn.endsAtMs > worker.pairing.endsAtMs) {
        worker.pairing = { endsAtMs: signedIn.endsAtMs, bearer: await pair(signedIn, request) };
      }
      return worker;
    },
    end: () => Promise.all([...workers.values()].map(({ end }) => end())),
  };
}

/**
 * Ends the worker that was idle longest, where there are as many as may be.
 * @throws Refusal (429)
 */
function evictIdle(workers: Map<string, PersonWorker>): void {
  if (workers.size < MOST_WORKERS) return;
  const [name, idle] = [...workers].find(([, { isAtWork }]) => !isAtWork()) ?? [];
  if (idle === undefined) {
    throw new BusyRefusal((s) => `${MOST_WORKERS} people's agents are at work here: try again in ${s} s.`, BUSY_MS);
  }
  workers.delete(name!);
  void idle.end();
}

/** @param onEnd Called when it has ended, by itself or not. */
function openWorker(app: FastifyInstance, data: WorkerOptions, onEnd: () => void) {
  // The environment may hold the private key.
  const options = { workerData: data, env: {}, resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP_MB } };
  const thread = new Worker(new URL("./worker.ts", import.meta.url), options);
  const sessions = new Map<string, WorkerSession>();
  const post = (message: ToWorker) => thread.postMessage(message);
  const end = () => thread.terminate();
  const idle = setTimeout(end, IDLE_MS).unref();
  let hasEnded = false;
  const worker = {
    /** A secret of this process: the thread does not get it. */
    pairing: { endsAtMs: 0, bearer: "" },
    isAtWork: () => [...sessions.values()].some(({ isWaiting }) => isWaiting()),
    /** Passes on what a client sent in a session. */
    deliver(session: WorkerSession, message: JSONRPCMessage): void {
      const { id, handshake } = session;
      if (hasEnded) session.fail();
      idle.refresh();
      // A former worker shook hands with this client.
      if (!sessions.has(id))
        for (const former of handshake) if (former !== message) post({ session: id, message: former });
      sessions.set(id, session);
      post({ session: id, message });
    },
    /** Forgets a session that has ended. */
    leave(id: string): void {
      if (sessions.delete(id)) post({ session: id, message: null });
    },
    end,
  };
  thread.on("message", async (message: FromWorker) => {
    if ("session" in message) return sessions.get(message.session)?.send(message.message, message.relatedTo);
    const { request, sent } = message;
    const answer = await sendToCompanion(app, data.url, worker.pairing.bearer, sent).catch(() => null);
    post({ request, answer });
  });
  // The message may hold anything.
  thread.on("error", ({ name, ...error }) =>
    app.log.error({ name, code: Object(error).code }, "An agent's worker failed."),
  );
  thread.on("exit", () => {
    hasEnded = true;
    clearTimeout(idle);
    onEnd();
    for (const session of sessions.values()) session.fail();
  });
  return worker;
}

/** Sends a worker's request to the companion itself, as its person's page would. */
async function sendToCompanion(
  app: FastifyInstance,
  own: string,
  bearer: string,
  { url, method, headers, body }: CompanionRequest,
): Promise<CompanionAnswer | null> {
  const { origin, host, pathname, search } = new URL(url);
  if (origin !== own || !pathname.startsWith(API)) return null;
  const answer = await app.inject({
    method: method as InjectOptions["method"],
    url: pathname + search,
    headers: { ...headers, host, [PAIRING_HEADER]: bearer },
    payload: body,
  });
  const sent = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: answer.statusCode, headers: sent, body: new Uint8Array(answer.rawPayload) };
}
