import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { REFUSAL_HEADER } from "../../contract/companion-api";
import type { OPERATION_FAMILIES } from "../../contract/constants";
import type { Pairing } from "./pairing";

/** An operation that reads data. */
type ReadId = keyof typeof OPERATION_FAMILIES;

/** What came of one request for data. */
export interface ReadOutcome {
  /** Who asked; null for who was refused as a stranger, and with sample data. */
  pairing: Pairing | null;
  operation: ReadId;
  /** As it was answered; 499 where the caller had left. */
  status: number;
  /** From the request's arrival to the end of its answer. */
  seconds: number;
  /** The code of a refusal of the companion itself, such as of rights or of a quota. */
  refusal?: string;
  /** How many companies or pages were asked for, and how many of them the provider was not asked for; absent where nothing is shared. */
  requested?: number;
  known?: number;
  /** The provider's id of an error, for its support. */
  traceId?: string;
}

/** What a route learns of its read while it answers. */
type ReadFacts = Pick<ReadOutcome, "requested" | "known" | "traceId">;

/** A pairing that was made, or ended by its page. */
export interface PairingChange {
  event: "paired" | "ended";
  pairing: Pick<Pairing, "id" | "person">;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route reads for somebody; absent where that is no data. */
    read?: ReadId;
  }
  interface FastifyRequest {
    readFacts: ReadFacts | null;
    /** What has become of a pairing by this request. */
    pairingChange: PairingChange | null;
  }
}

/** Who is told what the companion API has answered. */
export interface OutcomeListener {
  notifyRead?(outcome: ReadOutcome): void;
  notifyPairing?(change: PairingChange): void;
}

const CALLER_LEFT = 499;

/** Tells of every read and every pairing, once it is answered: no caller waits for whoever keeps account of it. */
export function notifyOutcomes(app: FastifyInstance, listeners: readonly OutcomeListener[]): void {
  app.decorateRequest("readFacts", null);
  app.decorateRequest("pairingChange", null);
  app.addHook("onResponse", async (request, reply) => {
    const { read } = request.routeOptions.config;
    const { pairingChange } = request;
    const outcome = read && toOutcome(read, request, reply);
    for (const listener of listeners) {
      if (outcome !== undefined) listener.notifyRead?.(outcome);
      if (pairingChange !== null) listener.notifyPairing?.(pairingChange);
    }
  });
}

function toOutcome(operation: ReadId, request: FastifyRequest, reply: FastifyReply): ReadOutcome {
  const refusal = reply.getHeader(REFUSAL_HEADER);
  return {
    pairing: request.pairing ?? null,
    operation,
    status: reply.raw.writableFinished ? reply.statusCode : CALLER_LEFT,
    seconds: reply.elapsedTime / 1000,
    refusal: typeof refusal === "string" ? refusal : undefined,
    ...request.readFacts,
  };
}
