import type { ReadOperation } from "../../contract/constants";
import type { Pairing } from "./pairing";

/** Facts that a route learns while it answers a read. */
export interface ReadFacts {
  /** Companies or pages that were requested, and those that were cached; absent where nothing is shared. */
  requested?: number;
  known?: number;
  /** The provider's id of an error, for its support. */
  traceId?: string;
}

/** A pairing that was made, ended by its page, or ended by somebody else. */
export interface PairingChange {
  event: "paired" | "ended" | "revoked";
  pairing: Pick<Pairing, "id" | "person">;
  /** When, in milliseconds since 1970; default now. */
  atMs?: number;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that the route reads; absent where that is no data. */
    read?: ReadOperation;
  }
  interface FastifyRequest {
    readFacts?: ReadFacts;
    /** The pairing that this request made or ended. */
    pairingChange?: PairingChange;
  }
}
