import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  ErrorCode,
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { Person } from "../companion/api/pairing";
import { Refusal } from "../companion/refusal";
import { type PersonWorker, toOwner, type WorkerSession } from "./workers";

/** A client that has left without a word; where it comes back, it begins anew. */
const IDLE_MS = 60 * 60_000;
const MOST_OF_PERSON = 10;

/** A session of a client: it belongs to the person who began it. */
interface Session extends WorkerSession {
  /** Handles a request of the client's. @param worker The worker that gets its messages; default the last one. */
  handle(request: Request, worker: PersonWorker | undefined): Promise<Response>;
  end(): void;
}

/** Creates the sessions of all people's clients. */
export function createSessions() {
  /** By id, in the order of their last use. */
  const sessions = new Map<string, { session: Session; owner: string; idle: NodeJS.Timeout }>();
  const end = (id: string) => {
    const { session, idle } = sessions.get(id) ?? {};
    if (session === undefined) return;
    sessions.delete(id);
    clearTimeout(idle);
    session.end();
  };
  const begin = (owner: string): Session => {
    const session = createSession({
      onBegin() {
        const own = [...sessions].filter(([, other]) => other.owner === owner);
        for (const [id] of own.slice(0, Math.max(0, own.length + 1 - MOST_OF_PERSON))) end(id);
        sessions.set(session.id, { session, owner, idle: setTimeout(() => end(session.id), IDLE_MS).unref() });
      },
      onEnd: () => end(session.id),
    });
    return session;
  };
  return {
    /**
     * Finds a session of a person's; without an id, gives a new one, which stays once it is initialised.
     * @throws Refusal (404) for an id that is not known, or another person's
     */
    find(id: string | string[] | undefined, person: Person): Session {
      const owner = toOwner(person);
      if (id === undefined) return begin(owner);
      const found = sessions.get(String(id));
      if (found?.owner !== owner) throw new Refusal(404, "There is no such session, or it has ended: begin anew.");
      found.idle.refresh();
      sessions.delete(found.session.id);
      sessions.set(found.session.id, found);
      return found.session;
    },
    end: () => [...sessions.keys()].forEach(end),
  };
}

function createSession({ onBegin, onEnd }: { onBegin: () => void; onEnd: () => void }): Session {
  const id = randomUUID();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: onBegin,
    onsessionclosed: onEnd,
  });
  let worker: PersonWorker | undefined;
  const waiting = new Set<RequestId>();
  const handshake: JSONRPCMessage[] = [];
  const session: Session = {
    id,
    handshake,
    isWaiting: () => waiting.size > 0,
    handle(request, next) {
      worker = next ?? worker;
      return transport.handleRequest(request);
    },
    send(message, relatedRequestId) {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) waiting.delete(message.id!);
      transport.send(message, { relatedRequestId }).catch(() => {}); // the client has left
    },
    fail() {
      const error = { code: ErrorCode.InternalError, message: "FEED stopped while it worked on this: try again." };
      for (const id of waiting) session.send({ jsonrpc: "2.0", id, error }, undefined);
    },
    end() {
      worker?.leave(id);
      void transport.close();
    },
  };
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) waiting.add(message.id);
    if (isInitializeRequest(message) || (isInitializedNotification(message) && handshake.length === 1))
      handshake.push(message);
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      waiting.delete(message.params?.requestId as RequestId);
    }
    worker?.deliver(session, message);
  };
  return session;
}
