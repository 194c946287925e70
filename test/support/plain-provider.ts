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
  const toOwn = (path: string): Answering | undefined => {
    const id = ++issued;
    if (path === "/companion/config") return { json: toConfiguration(server.url) };
    if (path === "/companion/assertion")
      return { json: { clientId: "client", keyId: "key", assertion: `assertion-${id}` } };
    return path === "/token" ? { json: { access_token: `token-${id}`, expires_in: 300 } } : undefined;
  };
  const server = await startServer((request) => {
    const own = toOwn(request.path);
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

const toConfiguration = (url: string) => ({
  sample: false,
  mode: "sign",
  transport: "direct",
  baseUrl: url,
  tokenUrl: `${url}/token`,
  clientId: "client",
  keyId: "key",
  thumbprint: "thumbprint",
  version: "1",
});
