import { type Bearer, createToken } from "../../../src/client/auth/token";
import { type FeedCode, RequestError } from "../../../src/client/errors";
import type { Http } from "../../../src/client/http";
import { createClock } from "../../support/clock";

/** The token endpoint's answers: a refusal, silence, or JSON with a valid token if it has a lifetime. */
export type Answer = "no" | "nothing" | "malformed" | { expires_in: unknown };

/** Events for the token holder; `which` selects among the candidates. */
export type Step =
  | { do: "ask" | "forget" }
  | { do: "renew" | "accept"; which: number }
  | { do: "wait"; ms: number }
  | { do: "answer"; which: number; as: Answer };

/** A request at the token endpoint. */
export interface Exchange {
  assertion: string;
  /** How many resets preceded it. */
  generation: number;
  isOpen: boolean;
  /** It follows a refused one. */
  isSecond: boolean;
  answer: (as: Answer) => void;
}

/** A pending caller. */
export interface PendingCall {
  refused: Bearer | null;
  /** The token held at the call. */
  before: Bearer | null;
  generation: number;
  outcome: Bearer | FeedCode | null;
}

/** The token holder, its users and the endpoint, with a model of what it holds. */
export function createTokenModel() {
  const clock = { ms: 0 };
  const after = () => {
    throw new Error("The holder of a token sets no timer.");
  };
  const exchanges: Exchange[] = [];
  const now = { generation: 0, signed: 0, issued: 0 };
  const send: Http["send"] = async (createRequest) => {
    const assertion = new URLSearchParams((await createRequest()).body).get("client_assertion") ?? "";
    const { generation } = now;
    return new Promise((resolve, reject) => {
      const answer = (as: Answer) => {
        exchange.isOpen = false;
        if (as === "no") reject(new RequestError("FEED_UNAUTHORISED", "no", { status: 401 }));
        else if (as === "nothing") reject(new RequestError("FEED_NETWORK_FAILED", "gone"));
        else resolve({ body: as === "malformed" ? {} : { access_token: `${generation}.${++now.issued}`, ...as } });
      };
      const exchange = { assertion, generation, isOpen: true, isSecond: false, answer };
      exchanges.push(exchange);
    });
  };
  const token = createToken({
    ports: { ...createClock().ports, nowMs: () => clock.ms, after },
    http: { send },
    connection: async () => ({ baseUrl: "http://provider", tokenUrl: "http://provider/token", isRelayed: false }),
    sign: async () => ({ clientId: "c", keyId: "k", assertion: `assertion-${++now.signed}` }),
  });
  const held = { current: null as Bearer | null, accepted: null as Bearer | null, pausedUntilMs: 0 };
  return { clock, token, exchanges, now, held, calls: [] as PendingCall[], bearers: [] as Bearer[] };
}

export type TokenModel = ReturnType<typeof createTokenModel>;

/** Lets promises run without event-loop turns, which would take most of the test's time. */
export async function settle(): Promise<void> {
  for (let step = 0; step < 40; step++) await null;
}
