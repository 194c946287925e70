import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  /** The body's JSON, or its text if it is not JSON. */
  body: unknown;
  /** Whether the client has cancelled it. */
  isAborted: () => boolean;
}

/** A server's answer: JSON, a text, or a test's own handling of the response. */
export type Answering =
  | { status?: number; headers?: Record<string, string>; json: unknown }
  | { status?: number; headers?: Record<string, string>; text: string }
  | { raw: (response: ServerResponse) => void };

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Starts a server with the test's answers, on a free port of this machine. */
export async function startServer(answer: (request: Received) => Answering | Promise<Answering>) {
  const requests: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming, response);
    requests.push(request);
    sendAnswer(response, await answer(request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All requests so far, oldest first. */
    requests,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<Received> {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost");
  let text = "";
  for await (const part of incoming) text += part;
  return {
    method: incoming.method ?? "",
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: toBody(text),
    isAborted: () => response.destroyed && !response.writableFinished,
  };
}

function toBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function sendAnswer(response: ServerResponse, answering: Answering): void {
  if ("raw" in answering) {
    answering.raw(response);
    return;
  }
  const { status = 200, headers = {} } = answering;
  const text = "json" in answering ? JSON.stringify(answering.json) : answering.text;
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}
