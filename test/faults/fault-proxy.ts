import { type Answering, type Received, startServer } from "../support/http-server";

/** A proxy before a provider that passes requests on or answers them itself. */
export interface FaultProxy {
  /** Without a trailing slash. */
  url: string;
  /** All requests since the last reset, oldest first. */
  requests: Received[];
  /** Answers a request in the provider's place; undefined passes it on. */
  answer: (request: Received) => Answering | Promise<Answering | undefined> | undefined;
  /** Changes the JSON of a 200 answer; default unchanged. */
  change: (body: unknown, request: Received) => unknown;
  /**
   * Delays the answers to these requests, by default all, until they are released.
   * @returns releases them
   */
  hold(isMeant?: (request: Received) => boolean): () => void;
  /** Passes everything on and clears the recorded requests. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a fault proxy before the provider at `baseUrl`, on a free port of this machine. */
export async function startFaultProxy(baseUrl: string): Promise<FaultProxy> {
  const server = await startServer(async (request) => (await faultProxy.answer(request)) ?? pass(request));
  const pass = async (request: Received): Promise<Answering> => {
    const { method, path, query, headers, body } = request;
    const text = headers["content-type"]?.includes("json") ? JSON.stringify(body) : String(body);
    const response = await fetch(`${baseUrl}${path}${query.size > 0 ? `?${query}` : ""}`, {
      method,
      headers: toPassed(headers),
      ...(method !== "GET" && method !== "HEAD" && { body: text }),
    });
    const passed = { status: response.status, headers: { date: response.headers.get("date") ?? "" } };
    const answered = await response.text();
    if (!response.ok || path.endsWith("/token")) return { ...passed, text: answered };
    return { ...passed, json: faultProxy.change(JSON.parse(answered), request) };
  };
  const faultProxy: FaultProxy = {
    url: server.url,
    requests: server.requests,
    ...createWays(),
    hold(isMeant = () => true) {
      const { answer } = faultProxy;
      let letGo = () => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      faultProxy.answer = async (request) => {
        if (isMeant(request)) await held;
        return answer(request);
      };
      return letGo;
    },
    reset() {
      Object.assign(faultProxy, createWays());
      server.requests.length = 0;
    },
    close: server.close,
  };
  return faultProxy;
}

const createWays = (): Pick<FaultProxy, "answer" | "change"> => ({
  answer: () => undefined,
  change: (body) => body,
});

const PASSED = ["authorization", "content-type", "accept"] as const;

function toPassed(headers: Received["headers"]): Record<string, string> {
  return Object.fromEntries(PASSED.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
}
