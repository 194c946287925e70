import { parentPort, workerData } from "node:worker_threads";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { openHost, readMetadata } from "../refresh/host";
import { createMcpServer, openOnce } from "./server";
import type { CompanionAnswer, FromWorker, ToWorker, WorkerOptions } from "./worker-messages";

const { url, source, webFolder } = workerData as WorkerOptions;
const port = parentPort!;
const post = (message: FromWorker) => port.postMessage(message);

/** The requests that have no answer yet; null fails one. */
const requests = new Map<number, (answer: CompanionAnswer | null) => void>();
let count = 0;

/** Reaches the companion, whose thread adds the person's pairing; there is no network here. */
const send: typeof fetch = (input, { method = "GET", headers, body, signal } = {}) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = ++count;
    const sent = { url: new URL(String(input), url).href, method, body: body == null ? undefined : String(body) };
    const abort = () => {
      requests.delete(request);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    requests.set(request, (answer) => {
      requests.delete(request);
      signal?.removeEventListener("abort", abort);
      if (answer === null) return reject(new TypeError("the companion gave no answer"));
      const isEmpty = [204, 205, 304].includes(answer.status);
      resolve(new Response(isEmpty ? null : answer.body, answer));
    });
    post({ request, sent: { ...sent, headers: Object.fromEntries(new Headers(headers)) } });
  });

/** The person's formulas, which all their sessions share. */
async function openFormulas() {
  const provider = { url, bearer: null, fetch: send, describe: source };
  return { host: await openHost({ provider, metadata: readMetadata(webFolder) }), source };
}

/** One for all sessions. */
const open = openOnce(openFormulas);

const transports = new Map<string, Transport>();

function begin(session: string): Transport {
  const transport: Transport = {
    start: async () => {},
    send: async (message, options) => post({ session, message, relatedTo: options?.relatedRequestId }),
    close: async () => transport.onclose?.(),
  };
  transports.set(session, transport);
  void createMcpServer({ open, webFolder }).connect(transport);
  return transport;
}

port.on("message", (received: ToWorker) => {
  if ("request" in received) return requests.get(received.request)?.(received.answer);
  const { session, message } = received;
  if (message !== null) return (transports.get(session) ?? begin(session)).onmessage?.(message);
  void transports.get(session)?.close();
  return transports.delete(session);
});
