import { type Answering, type Received, type RunningServer, startServer } from "./http-server";

/** A minimal provider with the companion API beside it, so that a page can connect. */
export interface PlainProvider {
  /** The page's own origin, without a trailing slash. */
  origin: string;
  /** Data requests since the last reset, oldest first. */
  reads: Received[];
  /** Answers a data request. */
  answer: (request: Received) => Answering | Promise<Answering>;
  close: RunningServer["close"];
}

/** Starts an empty one that signs nothing and accepts every token. */
export async function startPlainProvider(): Promise<PlainProvider> {
  let issued = 0;
  const server = await startServer((request) => {
    const own = answerCompanion(request.path, server.url, ++issued);
    if (own !== undefined) return own;
    provider.reads.push(request);
    return provider.answer(request);
  });
  const provider: PlainProvider = {
    origin: server.url,
    reads: [],
    answer: () => ({ status: 404, json: {} }),
    close: server.close,
  };
  return provider;
}

/** Answers what a page needs to connect: a companion that signs, and its provider's tokens; undefined otherwise. */
export function answerCompanion(path: string, url: string, id: number): Answering | undefined {
  if (path === "/companion/assertion") {
    return { json: { clientId: "client", keyId: "key", assertion: `assertion-${id}` } };
  }
  if (path === "/token") return { json: { access_token: `token-${id}`, token_type: "bearer", expires_in: 300 } };
  if (path !== "/companion/config") return undefined;
  const addresses = { transport: "direct", baseUrl: url, tokenUrl: `${url}/token` };
  const client = { clientId: "client", keyId: "key", thumbprint: "thumbprint" };
  return { json: { sample: false, mode: "sign", ...addresses, ...client, version: "1.2.3" } };
}
