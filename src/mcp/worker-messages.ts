import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

/** What a worker's thread begins with. */
export interface WorkerOptions {
  /** The companion's origin. */
  url: string;
  /** The folder of the built pages. */
  webFolder: string;
  /** Where its figures come from, as refresh/provider describes it, which reads this companion's settings itself. */
  source: { client: string | null; provider: string; mode: "pairing" | "sample" };
}

/** A request of a worker's formulas to the companion. */
export interface CompanionRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface CompanionAnswer {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
}

/** What a worker's thread gets: a client's message, the end of a session, or the answer to its own request; null fails. */
export type ToWorker =
  | { session: string; message: JSONRPCMessage | null }
  | { request: number; answer: CompanionAnswer | null };

/** What a worker's thread sends: a message for a client, or its own request. */
export type FromWorker =
  | { session: string; message: JSONRPCMessage; relatedTo: RequestId | undefined }
  | { request: number; sent: CompanionRequest };
