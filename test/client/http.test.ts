import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "@jest/globals";
import { callCompanion } from "../../src/client/companion";
import { needsPairing } from "../../src/client/errors";
import { createHttp, type Pairing } from "../../src/client/http";
import { REFUSAL_HEADER } from "../../src/contract/companion-api";
import { createClock, drain } from "../support/clock";
import type { Answering } from "../support/http-server";
import { until } from "../support/until";
import REFUSALS from "./http/refusal.json";
import { createWire, HTML, OK } from "./wire";

const wire = createWire();
const { start, startWith, send, fail } = wire;
afterEach(() => wire.server.close());

describe("a request with Retry-After", () => {
  /** The answer has come and the delay has started: randomness is read just before. */
  const untilPaused = async () => {
    let isPaused = false;
    wire.clock.ports.random = () => {
      isPaused = true;
      return 0;
    };
    await until(() => isPaused);
  };

  const [date, later] = ["Wed, 20 Nov 2024 09:40:00 GMT", "Wed, 20 Nov 2024 09:40:12 GMT"];
  it.each<[string, number, Record<string, string>, number]>([
    ["waits as many seconds as Retry-After says", 429, { "retry-after": "7" }, 7_000],
    ["waits until the date of Retry-After, by the server's clock", 503, { date, "retry-after": later }, 12_000],
  ])("%s", async (_, status, headers, waitMs) => {
    await startWith([{ status, json: {}, headers }, OK], {});
    const answer = send();
    await untilPaused();
    await wire.clock.advance(waitMs - 1);
    expect(wire.server.requests).toHaveLength(1);
    await wire.clock.advance(1);
    expect((await answer).body).toEqual({ fine: true });
  });

  it("fails at once if the wait exceeds its deadline, and says how long it is", async () => {
    await startWith([{ status: 429, json: {}, headers: { "retry-after": "3600" } }], {});
    expect(await fail()).toMatchObject({
      code: "FEED_RATE_LIMITED",
      message: "too many requests; it is requested again by itself in 60 minutes",
      facts: { status: 429, retryAfterMs: 3_600_000 },
    });
    expect([wire.server.requests.length, wire.clock.timers()]).toEqual([1, 0]);
  });

  it("leaves no timer when its last caller leaves", async () => {
    await startWith([{ status: 429, json: {}, headers: { "retry-after": "20" } }], {});
    const caller = new AbortController();
    const answer = fail(caller.signal);
    await untilPaused();
    caller.abort("gone");
    expect(await answer).toBe("gone");
    expect(wire.clock.timers()).toBe(0);
  });
});

describe("a request without a usable answer", () => {
  const cut: Answering = {
    raw: (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"fine":');
      setImmediate(() => response.destroy());
    },
  };
  it.each<[string, Answering]>([
    ["a sign-in page", { text: "<!doctype html><title>Sign in</title>", headers: HTML }],
    ["half a JSON", { text: '{"data": [1, 2' }],
    ["an empty body", { text: "" }],
    ["no content", { status: 204, text: "" }],
    ["a body that breaks off", cut],
    ["a connection that closes", { raw: (response) => response.destroy() }],
    ["a redirect", { status: 302, text: "", headers: { location: "/login" } }],
  ])("fails with FEED_NETWORK_FAILED after three attempts at %s", async (_, answering) => {
    await startWith([answering]);
    expect(await fail()).toMatchObject({ code: "FEED_NETWORK_FAILED" });
    expect(wire.server.requests.map(({ path }) => path)).toEqual(["/x", "/x", "/x"]);
  });

  it("fails with FEED_NETWORK_FAILED at a redirect, which browsers show as status 0", async () => {
    await startWith([OK]);
    wire.http = createHttp(createClock({ hurryMs: 1_000, fetch: async () => Response.error() }).ports, 1);
    expect(await fail()).toMatchObject({
      code: "FEED_NETWORK_FAILED",
      message: expect.stringContaining("a redirect"),
    });
  });

  it("fails when the server is down", async () => {
    await startWith([OK]);
    await wire.server.close();
    expect(await fail()).toMatchObject({
      code: "FEED_NETWORK_FAILED",
      message: expect.stringMatching(
        /^the provider was not reached .*; check the connection; .*CORS.*FEED_TRANSPORT=proxy/,
      ),
    });
  });

  it("stops reading at 50 MB", async () => {
    const megabyte = Buffer.alloc(1_000_000, 0x20);
    const raw = (response: ServerResponse) => {
      const pour = () => {
        while (!response.destroyed && response.write(megabyte));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    };
    await startWith([{ raw }]);
    expect(await fail()).toMatchObject({ code: "FEED_RESULT_TOO_LARGE" });
  });
});

describe("a request without an answer", () => {
  const silent: Answering = { raw: () => {} };
  const slow: Answering = { raw: (response) => void response.writeHead(200).write("{") };

  it.each([
    ["never", silent],
    ["byte by byte", slow],
  ])("(%s) is hedged after 15 seconds, and both attempts end at 30", async (_, answering) => {
    await startWith([answering], { hurryMs: 0 });
    let failure: unknown;
    void fail(undefined, "companies").then((error) => {
      failure = error;
    });
    await until(() => wire.server.requests.length === 1);
    await drain();
    await wire.clock.advance(14_999);
    expect(wire.server.requests).toHaveLength(1);
    await wire.clock.advance(1);
    await until(() => wire.server.requests.length === 2);
    await wire.clock.advance(14_999);
    expect(wire.server.requests.some(({ isAborted }) => isAborted())).toBe(false);
    expect(failure).toBeUndefined();
    await wire.clock.advance(1);
    expect(failure).toMatchObject({
      code: "FEED_TIMED_OUT",
      message: "no answer within 30 seconds; refresh later",
    });
    expect([wire.server.requests.length, wire.clock.timers()]).toEqual([2, 0]);
    await until(() => wire.server.requests.every(({ isAborted }) => isAborted()));
  });

  it("ends on the network too when its caller leaves", async () => {
    await startWith([silent]);
    const caller = new AbortController();
    const answer = fail(caller.signal);
    await until(() => wire.server.requests.length === 1);
    caller.abort("gone");
    expect(await answer).toBe("gone");
    await until(() => wire.server.requests[0]?.isAborted() === true);
    expect(wire.clock.timers()).toBe(0);
  });

  it("ends even if fetch ignores its signal, and frees its slot", async () => {
    await startWith([OK]);
    const stuck = createClock({ fetch: () => new Promise(() => {}) });
    wire.http = createHttp(stuck.ports, 1);
    wire.clock = stuck;
    const answers = [fail(), fail()];
    await stuck.advance(60_000);
    expect(await Promise.all(answers)).toEqual(Array(2).fill(expect.objectContaining({ code: "FEED_TIMED_OUT" })));
    expect(stuck.timers()).toBe(0);
  });
});

describe("a request among many", () => {
  const held: (() => void)[] = [];
  /** Starts a server that holds its first answers. */
  const startHeld = (count = Number.POSITIVE_INFINITY) => {
    held.length = 0;
    const hold = () => new Promise<Answering>((resolve) => held.push(() => resolve(OK)));
    return start(() => (wire.server.requests.length <= count ? hold() : OK));
  };
  const sendMany = (count: number) => Array.from({ length: count }, () => send());

  it("waits for one of five slots; slow requests do not block the others", async () => {
    await startHeld(4);
    const answers = sendMany(24);
    await Promise.all(answers.slice(4));
    expect([held.length, wire.server.requests.length]).toEqual([4, 24]);
    for (const release of held) release();
    expect(await Promise.all(answers)).toHaveLength(24);
  });

  it("is built when it starts, so that its token is fresh", async () => {
    await startHeld();
    const others = sendMany(5);
    let isMade = false;
    const last = wire.http.send(async () => {
      isMade = true;
      return { method: "GET", url: `${wire.server.url}/x`, headers: {} };
    });
    await until(() => held.length === 5);
    expect(isMade).toBe(false);
    held[0]?.();
    await until(() => held.length === 6);
    for (const release of held) release();
    await Promise.all([...others, last]);
  });
});

const BEARER = "a-bearer-of-forty-three-characters-as-it-is";

const refusal = (status: number, code: string, message = "It is so."): Answering => ({
  status,
  headers: { [REFUSAL_HEADER]: code },
  json: { error: { code, message } },
});

const sendPaired = (pairing?: Pairing, isToCompanion = true) =>
  createHttp(wire.clock.ports, 1, { pairing })
    .send(async () => ({ method: "GET", url: `${wire.server.url}/x`, headers: { accept: "a/b" }, isToCompanion }))
    .catch((error) => error);

describe("the companion's own refusal", () => {
  const loadOwn = () =>
    callCompanion(createHttp(wire.clock.ports, 1), `${wire.server.url}/x`, "GET").catch((error) => error);

  const REFUSED = REFUSALS as [number, string, string, string, number][];
  it.each(REFUSED)("with %p %s has its code's class, on both paths", async (status, code, kind, message, tries) => {
    await startWith([refusal(status, code)]);
    for (const error of [await sendPaired(), await loadOwn()]) {
      expect(error.constructor.name).toBe(kind);
      expect(error).toMatchObject({ code, message, facts: { status, said: "It is so.", refusal: code } });
    }
    expect(wire.server.requests).toHaveLength(2 * tries);
  });

  it("with an unknown code is FEED_SIGNER_REFUSED", async () => {
    await startWith([{ ...refusal(418, "FEED_TEAPOT"), json: {} } as Answering]);
    expect(await sendPaired()).toMatchObject({
      code: "FEED_SIGNER_REFUSED",
      message: "the companion refused with 418",
    });
  });

  it("of an unpaired page differs from the provider's refusal of a token", async () => {
    await startWith([refusal(401, "FEED_SIGNER_REFUSED"), { status: 401, json: {} }]);
    const [own, relayed] = [await sendPaired(), await sendPaired()];
    expect([own.code, needsPairing(own)]).toEqual(["FEED_SIGNER_REFUSED", true]);
    expect([relayed.code, needsPairing(relayed)]).toEqual(["FEED_UNAUTHORISED", false]);
  });

  it("is not recognised in an answer of a provider reached directly", async () => {
    await startWith([refusal(401, "FEED_SIGNER_REFUSED")]);
    expect(await sendPaired(undefined, false)).toMatchObject({ code: "FEED_UNAUTHORISED" });
  });

  it("can be an empty success, which a provider's cannot", async () => {
    await startWith([{ status: 204, text: "" }]);
    expect(await sendPaired()).toEqual({ body: null });
  });
});

describe("a pairing", () => {
  const apiHeaders = () =>
    wire.server.requests.map(({ headers }) => [headers.accept, headers["feed-client"], headers["feed-pairing"]]);

  it("is sent to the companion and never to a provider", async () => {
    await startWith([OK]);
    for (const isToCompanion of [true, false]) await sendPaired({ bearer: () => BEARER, refused() {} }, isToCompanion);
    await sendPaired({ bearer: () => null, refused() {} });
    expect(apiHeaders()).toEqual([
      ["a/b", "excel", BEARER],
      ["a/b", undefined, undefined],
      ["a/b", "excel", undefined],
    ]);
  });

  it("is read again for each attempt, since another window can replace it", async () => {
    await startWith([{ status: 503, json: {} }, OK]);
    const bearers = ["first", "second"];
    await sendPaired({ bearer: () => bearers.shift() ?? null, refused() {} });
    expect(apiHeaders().map(([, , bearer]) => bearer)).toEqual(["first", "second"]);
  });

  it("is reported when the companion refuses it, and for no other refusal", async () => {
    const refusals: unknown[] = [];
    const pairing: Pairing = { bearer: () => BEARER, refused: ({ code }, bearer) => refusals.push([code, bearer]) };
    await startWith([{ status: 401, json: {} }, refusal(403, "FEED_SIGNER_REFUSED"), refusal(401, "ANY")]);
    for (let count = 0; count < 3; count++) await sendPaired(pairing);
    expect(refusals).toEqual([["FEED_SIGNER_REFUSED", BEARER]]);
  });

  it("is redacted from every error that quotes it", async () => {
    await startWith([
      { status: 403, json: { message: `no ${BEARER} here` } },
      refusal(403, "FEED_SIGNER_REFUSED", `no ${BEARER} here`),
    ]);
    const pairing: Pairing = { bearer: () => BEARER, refused() {} };
    for (let count = 0; count < 2; count++) expect((await sendPaired(pairing)).message).toContain("no … here");
  });
});
