import { Worker } from "node:worker_threads";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyInstance, FastifyRequest, InjectOptions } from "fastify";
import { type Address, toOrigin } from "../companion/address";
import { explainStore, type Person, type SignedIn } from "../companion/api/pairing";
import type { Provider } from "../companion/provider";
import { BusyRefusal } from "../companion/refusal";
import type { Stores } from "../companion/stores";
import { PAIRING_HEADER } from "../contract/companion-api";
import type { CompanionAnswer, CompanionRequest, FromSeat, SeatData, ToSeat } from "./seat-messages";

/** People whose agents work at the same time, in one process. */
const MOST_SEATS = 4;
const IDLE_MS = 10 * 60_000;
/** A seat that needs more ends, and no other one. */
const LARGEST_HEAP_MB = 160;
const BUSY_MS = 10_000;
const API = "/companion/";

/** What seats need of the companion. */
export interface SeatsOptions {
  address: Address;
  provider: () => Provider;
  /** The folder of the built pages. */
  webFolder: string;
  stores: Pick<Stores, "pairings">;
}

/** A person's seat: a thread with a server of their own. */
export type Seat = ReturnType<typeof openSeat>;

/** A client's session, as its seat sees it. */
export interface SeatSession {
  readonly id: string;
  /** The messages by which it was initialised, which a later seat gets first. */
  readonly greeting: readonly JSONRPCMessage[];
  /** Whether the client waits for an answer. */
  isWaiting(): boolean;
  /** Sends what the seat says. */
  answer(message: JSONRPCMessage, relatedTo: RequestId | undefined): void;
  /** Answers what waits, since the seat has ended. */
  fail(): void;
}

/** Names the seat of a person with these roles: nobody else has it, nor they themselves with other roles. */
export const toSeatName = ({ id, roles }: Person): string => JSON.stringify([id, ...[...roles].sort()]);

/** Creates the seats of people whose agents ask: a thread for each, which shares no memory with another's. */
export function createSeats(app: FastifyInstance, { address, provider, stores, webFolder }: SeatsOptions) {
  const pairings = stores.pairings.of(provider);
  /** By name, in the order of their last use. */
  const seats = new Map<string, Seat>();
  const open = (name: string): Seat => {
    makeRoom(seats);
    const { sample, baseUrl, client } = provider();
    const source: SeatData["source"] = sample
      ? { client: null, provider: "sample", mode: "sample" }
      : { client: client.clientId, provider: baseUrl(), mode: "pairing" };
    const forget = () => seats.get(name) === seat && seats.delete(name);
    const seat = openSeat(app, { url: toOrigin(address), source, webFolder }, forget);
    return seat;
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
     * Gives a person's seat, which reads as they may until their token ends.
     * @throws Refusal (429 where all seats are at work for others; 503 where nobody can be paired)
     */
    async take(signedIn: SignedIn, request: FastifyRequest): Promise<Seat> {
      const name = toSeatName(signedIn.person);
      const seat = seats.get(name) ?? open(name);
      seats.delete(name);
      seats.set(name, seat);
      if (signedIn.endsAtMs > seat.pairing.endsAtMs) {
        seat.pairing = { endsAtMs: signedIn.endsAtMs, bearer: await pair(signedIn, request) };
      }
      return seat;
    },
    end: () => Promise.all([...seats.values()].map(({ end }) => end())),
  };
}

/**
 * Ends the seat that was idle longest, where there are as many as may be.
 * @throws Refusal (429)
 */
function makeRoom(seats: Map<string, Seat>): void {
  if (seats.size < MOST_SEATS) return;
  const [name, idle] = [...seats].find(([, { isAtWork }]) => !isAtWork()) ?? [];
  if (idle === undefined) {
    throw new BusyRefusal((s) => `${MOST_SEATS} people's agents are at work here: try again in ${s} s.`, BUSY_MS);
  }
  seats.delete(name!);
  void idle.end();
}

/** @param onEnd Called when it has ended, by itself or not. */
function openSeat(app: FastifyInstance, data: SeatData, onEnd: () => void) {
  // The environment may hold the private key.
  const options = { workerData: data, env: {}, resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP_MB } };
  const worker = new Worker(new URL("./seat.ts", import.meta.url), options);
  const sessions = new Map<string, SeatSession>();
  const post = (message: ToSeat) => worker.postMessage(message);
  const end = () => worker.terminate();
  const idle = setTimeout(end, IDLE_MS).unref();
  let hasEnded = false;
  const seat = {
    /** A secret of this process: the thread does not get it. */
    pairing: { endsAtMs: 0, bearer: "" },
    isAtWork: () => [...sessions.values()].some(({ isWaiting }) => isWaiting()),
    /** Passes on what a client sent in a session. */
    deliver(session: SeatSession, message: JSONRPCMessage): void {
      const { id, greeting } = session;
      if (hasEnded) session.fail();
      idle.refresh();
      // A client that was greeted by a former seat.
      if (!sessions.has(id))
        for (const former of greeting) if (former !== message) post({ session: id, message: former });
      sessions.set(id, session);
      post({ session: id, message });
    },
    /** Forgets a session that has ended. */
    leave(id: string): void {
      if (sessions.delete(id)) post({ session: id, message: null });
    },
    end,
  };
  worker.on("message", async (message: FromSeat) => {
    if ("session" in message) return sessions.get(message.session)?.answer(message.message, message.relatedTo);
    const { request, sent } = message;
    const answer = await ask(app, data.url, seat.pairing.bearer, sent).catch(() => null);
    post({ request, answer });
  });
  // The message may hold anything.
  worker.on("error", ({ name, ...error }) =>
    app.log.error({ name, code: Object(error).code }, "An agent's seat failed."),
  );
  worker.on("exit", () => {
    hasEnded = true;
    clearTimeout(idle);
    onEnd();
    for (const session of sessions.values()) session.fail();
  });
  return seat;
}

/** Sends a seat's request to the companion itself, as its person's page would. */
async function ask(
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
