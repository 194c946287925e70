import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

/** What a seat's thread begins with. */
export interface SeatData {
  /** The companion's origin. */
  url: string;
  /** The folder of the built pages. */
  webFolder: string;
  /** Where its figures come from, as of OpenedProvider. */
  source: { client: string | null; provider: string; mode: "pairing" | "sample" };
}

/** A request of a seat's formulas to the companion. */
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

/** What a seat's thread gets: a client's message, the end of a session, or the answer to its own request; null fails. */
export type ToSeat =
  | { session: string; message: JSONRPCMessage | null }
  | { request: number; answer: CompanionAnswer | null };

/** What a seat's thread sends: a message for a client, or its own request. */
export type FromSeat =
  | { session: string; message: JSONRPCMessage; relatedTo: RequestId | undefined }
  | { request: number; sent: CompanionRequest };
