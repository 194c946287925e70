import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ArgumentError } from "../../src/client/errors";
import { createHttp } from "../../src/client/http";
import { createProvider, toUrl } from "../../src/client/provider";
import { createClock, drain } from "../support/clock";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../support/feed";
import { until } from "../support/until";
import CASES from "./provider.json";

const BASE = "https://provider.example/feed";
const CONNECTION = { baseUrl: BASE, tokenUrl: `${BASE}/token`, isRelayed: false };
const PREFIX = `${BASE}/asia/private-markets/v1/companies/`;

describe("an operation's URL", () => {
  const urlOf = (companyId: string) => toUrl(BASE, { operation: "getCompany", path: { companyId } });

  it("is the operation's path below the base URL, with its query escaped", () => {
    const query = { country: "JPN", identifier: "a&b=c d/é", sort: undefined, page: 2 };
    expect(toUrl(`${BASE}//`, { operation: "searchCompanies", query })).toBe(
      `${BASE}/asia/private-markets/v1/companies?country=JPN&identifier=a%26b%3Dc+d%2F%C3%A9&page=2`,
    );
  });

  it.each(CASES.impossibleIds)("refuses the id %p", (id) => {
    expect(() => urlOf(id)).toThrow(ArgumentError);
  });

  it("refuses a missing id", () => {
    expect(() => toUrl(BASE, { operation: "getCompany" })).toThrow(ArgumentError);
  });

  it("ends with any other id as one segment", () => {
    const law = fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(".", "%", "2", "e", "/", "a") })),
      (id) => {
        let url: string;
        try {
          url = urlOf(id);
        } catch (error) {
          expect(error).toBeInstanceOf(ArgumentError);
          return;
        }
        expect(url.slice(0, PREFIX.length)).toBe(PREFIX);
        expect(url.slice(PREFIX.length)).not.toMatch(/[/?#\\]/);
        expect(decodeURIComponent(url.slice(PREFIX.length))).toBe(id);
      },
    );
    fc.assert(law, { seed: 6, numRuns: 300 });
  });
});

let running: FeedOnServer;
afterEach(() => running?.close());

describe("a read", () => {
  it("sends the bearer, follows no redirect and carries no cookie", async () => {
    const sent: RequestInit[] = [];
    running = await startFeedOn(({ path }) => (path.startsWith("/asia") ? { json: { id: "a" } } : undefined));
    const original = running.clock.ports.fetch;
    running.clock.ports.fetch = (input, init) => {
      sent.push(init ?? {});
      return original(input, init);
    };
    await awaitAnswer(running.feed, running.feed.companies.query("a"));
    expect(running.requests()[0]?.headers.authorization).toBe("Bearer token-2");
    for (const init of sent) expect(init).toMatchObject({ redirect: "manual", credentials: "omit" });
    // The first one goes to the companion, which sets its own caching rules.
    expect(sent.map(({ cache }) => cache)).toEqual(["no-cache", "no-store", "no-store"]);
  });

  const bearer = { token: "t", renewAtMs: Number.POSITIVE_INFINITY };
  const never = () => new Promise<never>(() => {});
  const settled = { bearer: async () => bearer, renew: never, accept: () => {}, forget: () => {} };
  const start = (send: typeof fetch, others: object = {}) => {
    const clock = createClock({ fetch: send });
    const { ports } = clock;
    const connection = async () => CONNECTION;
    return {
      clock,
      provider: createProvider({ ports, http: createHttp(ports, 5), token: settled, connection, ...others }),
    };
  };

  it.each([
    ["a token", { token: { ...settled, bearer: never } }],
    ["an address", { connection: never }],
    ["a renewal", { send: async () => new Response("{}", { status: 401 }) }],
  ])("ends at its deadline if %s never settles, and leaves nothing behind", async (_, part) => {
    const { send = never, ...others } = part as { send?: typeof fetch };
    const { clock, provider } = start(send, others);
    let failure: unknown;
    void provider.load({ operation: "getTaxonomyTree" }).catch((error) => {
      failure = error;
    });
    await clock.advance(29_999);
    expect(failure).toBeUndefined();
    await clock.advance(1);
    expect(failure).toMatchObject({ code: "FEED_TIMED_OUT" });
    expect(clock.timers()).toBe(0);
  });

  it("that is cancelled leaves no unhandled rejection when its answer comes late", async () => {
    const late: ((response: Response) => void)[] = [];
    const { clock, provider } = start(() => new Promise((resolve) => late.push(resolve)));
    const caller = new AbortController();
    const answer = provider.load({ operation: "getTaxonomyTree" }, { signal: caller.signal });
    await until(() => late.length === 1);
    caller.abort("gone");
    await expect(answer).rejects.toBe("gone");
    late[0]?.(new Response("no JSON", { status: 500 }));
    await drain();
    expect(clock.timers()).toBe(0);
  });
});

it("a 404 of a list says what to check", async () => {
  running = await startFeedOn(({ path }) =>
    path.startsWith("/asia") ? { status: 404, json: { message: "gone" } } : undefined,
  );
  const list = running.feed.companies.querySearch({ country: "KOR" }, 5);
  await expect(awaitAnswer<unknown>(running.feed, list)).rejects.toMatchObject({
    code: "FEED_NOT_FOUND",
    message: "the provider has no such list (gone); check country and dates",
  });
});
