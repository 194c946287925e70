import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Pairing } from "../../companion/api/pairing";
import type { PairingChange, ReadFacts } from "../../companion/feature";
import type { Refusal } from "../../companion/refusal";
import { REFUSAL_HEADER } from "../../contract/companion-api";
import type { ReadOperation } from "../../contract/constants";
import { SIGN_IN_FAULTS, SignInRefusal } from "../sign-in/refusal";

/** The outcome of one read. */
export interface ReadOutcome extends ReadFacts {
  /** The reader; null for an unpaired caller, and with sample data. */
  pairing: Pairing | null;
  operation: ReadOperation;
  /** The answered status; 499 where the caller had left. */
  status: number;
  /** From the request's arrival to the end of its answer. */
  seconds: number;
  /** The code of the companion's own refusal, such as of rights or a quota. */
  refusal?: string;
}

/** How a sign-in ended: a code was given, it came too often, or it failed. */
export const SIGN_IN_RESULTS = ["admitted", "limited", ...SIGN_IN_FAULTS] as const;

export type SignInResult = (typeof SIGN_IN_RESULTS)[number];

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route ends a sign-in; default false. */
    signIn?: boolean;
  }
}

/** Gets the outcomes of the companion API. */
export interface OutcomeListener {
  notifyRead?(outcome: ReadOutcome): void;
  notifyPairing?(change: PairingChange): void;
  notifySignIn?(result: SignInResult): void;
  /** A read has come. */
  notifyBegun?(read: object): void;
  /** A read that had come was answered, or its caller has left. */
  notifyEnded?(read: object): void;
}

const CALLER_LEFT = 499;

/**
 * Notifies of every read and pairing after it was answered, so that no caller waits for it. Where the caller has left,
 * the framework ends no response: its outcome is known once it would have been answered.
 */
export function notifyOutcomes(app: FastifyInstance, listeners: readonly OutcomeListener[]): void {
  if (listeners.length === 0) return;
  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.config.read === undefined) return;
    for (const listener of listeners) listener.notifyBegun?.(request);
    reply.raw.once("close", () => {
      for (const listener of listeners) listener.notifyEnded?.(request);
    });
  });
  app.addHook("onSend", async (request, reply) => {
    const { raw } = reply;
    if (raw.destroyed) return notifyOutcome(listeners, request, reply);
    raw.once("close", () => {
      if (!isSent(reply)) notifyOutcome(listeners, request, reply);
    });
  });
  app.addHook("onResponse", async (request, reply) => {
    if (isSent(reply)) notifyOutcome(listeners, request, reply);
  });
}

/** Whether the caller got the answer. One within this process always does, and its response never says so. */
const isSent = ({ raw }: FastifyReply): boolean => raw.writableFinished || "isLightMyRequest" in raw;

function notifyOutcome(listeners: readonly OutcomeListener[], request: FastifyRequest, reply: FastifyReply): void {
  const { read, signIn } = request.routeOptions.config;
  const { pairingChange } = request;
  const outcome = read && toOutcome(read, request, reply);
  for (const listener of listeners) {
    if (outcome !== undefined) listener.notifyRead?.(outcome);
    if (pairingChange !== undefined) listener.notifyPairing?.(pairingChange);
    if (signIn) listener.notifySignIn?.(toSignInResult(request.refused));
    listener.notifyEnded?.(request);
  }
}

function toSignInResult(refused: Refusal | undefined): SignInResult {
  if (refused === undefined) return "admitted";
  if (refused instanceof SignInRefusal) return refused.fault;
  return refused.statusCode === 429 ? "limited" : "failed";
}

function toOutcome(operation: ReadOperation, request: FastifyRequest, reply: FastifyReply): ReadOutcome {
  const refusal = reply.getHeader(REFUSAL_HEADER);
  return {
    pairing: request.pairing ?? null,
    operation,
    status: isSent(reply) ? reply.statusCode : CALLER_LEFT,
    seconds: reply.elapsedTime / 1000,
    refusal: typeof refusal === "string" ? refusal : undefined,
    ...request.readFacts,
  };
}
