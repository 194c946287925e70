import { loadAssertion } from "../../../src/client/auth/assertion";
import { createToken } from "../../../src/client/auth/token";
import { createHttp, type Http } from "../../../src/client/http";
import { createProvider, type Provider } from "../../../src/client/provider";
import { createClock } from "../../support/clock";

/** The client of a person's pane, at the companion that relays. @param headers Those that identify the person. */
export const createPane = (origin: string, headers: Record<string, string>): Provider =>
  createClient(
    { baseUrl: `${origin}/companion/relay`, isRelayed: true },
    (url, init) => fetch(url, { ...init, headers: { ...Object(init?.headers), ...headers } }),
    (http, refused) => loadAssertion(http, origin, refused),
  );

const SIGNED = { clientId: "client-1", keyId: "kid-1", assertion: "a.b.c", clockSkewMs: 0 };

/** The same client, at the provider itself. */
export const createDirectPane = (baseUrl: string): Provider =>
  createClient({ baseUrl, isRelayed: false }, fetch, async () => SIGNED);

type Sign = (http: Http, refusedKeyId?: string) => ReturnType<typeof loadAssertion>;

function createClient(at: { baseUrl: string; isRelayed: boolean }, send: typeof fetch, sign: Sign): Provider {
  const { ports } = createClock({ startMs: Date.now(), hurryMs: 1000, fetch: send });
  const http = createHttp(ports, 6);
  const connection = async () => ({ ...at, tokenUrl: `${at.baseUrl}/token` });
  const token = createToken({ ports, http, connection, sign: (refused) => sign(http, refused) });
  return createProvider({ ports, http, token, connection });
}
