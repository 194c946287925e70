import { afterEach, describe, expect, it } from "@jest/globals";
import { createHttp, type Http } from "../../src/feed/http";
import { type Clock, type ClockOptions, createClock, drain, until } from "../support/clock";
import { type Answering, type Received, type RunningServer, startServer } from "../support/http-server";

const OK: Answering = { json: { fine: true } };
const html = { "content-type": "text/html" };

describe("a request", () => {
  let server: RunningServer;
  let clock: Clock;
  let http: Http;
  afterEach(() => server.close());

  const start = async (answer: (request: Received) => Answering | Promise<Answering>, options: ClockOptions = {}) => {
    server = await startServer(answer);
    clock = createClock(options);
    http = createHttp(clock.ports, 5);
  };
  /** Answers the requests one after the other; the last answer stays. */
  const startWith = (answers: Answering[], options: ClockOptions = { hurryMs: 1_000 }) => {
    const left = [...answers];
    return start(() => (left.length > 1 ? left.shift() : left[0]) as Answering, options);
  };
  const send = (signal?: AbortSignal, timeoutMs?: number) =>
    http.send(async () => ({ method: "GET", url: `${server.url}/x`, headers: {} }), {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  const fail = (signal?: AbortSignal) =>
    send(signal).then(
      () => expect("an answer").toBe("a failure"),
      (error) => error,
    );

  it("gives the answer's JSON and when it came", async () => {
    await startWith([OK]);
    expect(await send()).toEqual({ body: { fine: true } });
    expect(clock.timers()).toBe(0);
  });

  describe("that is refused", () => {
    it.each([
      [400, "FEED_REQUEST_INVALID", 1],
      [401, "FEED_UNAUTHORISED", 1],
      [403, "FEED_SCOPE_MISSING", 1],
      [404, "FEED_NOT_FOUND", 1],
      [405, "FEED_REQUEST_INVALID", 1],
      [408, "FEED_TIMED_OUT", 3],
      [422, "FEED_REQUEST_INVALID", 1],
      [429, "FEED_RATE_LIMITED", 3],
      [500, "FEED_SERVER_FAILED", 3],
      [503, "FEED_SERVER_FAILED", 3],
    ])("with %p is %s after %p tries", async (status, code, tries) => {
      await startWith([{ status, json: {} }]);
      expect(await fail()).toMatchObject({ code, facts: { status } });
      expect(server.requests).toHaveLength(tries);
      expect(clock.timers()).toBe(0);
    });

    it("for a moment is answered by the next try", async () => {
      await startWith([{ status: 503, json: {} }, { status: 429, json: {} }, OK]);
      expect((await send()).body).toEqual({ fine: true });
    });

    it.each([
      [
        "the ranking family's",
        {
          error: {
            code: "BAD",
            message: "No such day.",
            traceId: "t-9",
            details: [{ field: "start", issue: "is no day" }, null, {}, 7],
          },
        },
        "(No such day.; start: is no day)",
        "t-9",
      ],
      ["one with a code alone", { error: { code: "BAD", traceId: null, details: null } }, "(BAD)", undefined],
      [
        "OAuth's",
        { error: "invalid_client", error_description: "kid is unknown" },
        "(invalid_client: kid is unknown)",
        undefined,
      ],
      ["a plain message's", { message: "no such day", errors: [1] }, "(no such day)", undefined],
      ["a problem's", { title: "Bad", detail: "no such day" }, "(no such day)", undefined],
      ["another object's", { reason: "x" }, "with 400", undefined],
      ["a list's", [1], "with 400", undefined],
      ["null's", null, "with 400", undefined],
      ["one of wrong types", { error: { message: 7, code: {}, traceId: 5, details: "x" } }, "with 400", undefined],
    ])("in %s shape says what is known", async (_, json, said, traceId) => {
      await startWith([{ status: 400, json }]);
      const error = await fail();
      expect(error.message).toBe(
        `the provider refused the request with 400${said === "with 400" ? "; check the arguments" : ` ${said}; correct what it names`}`,
      );
      expect(error.facts).toMatchObject(traceId === undefined ? { status: 400 } : { status: 400, traceId });
      expect(error.facts.said ?? "with 400").toBe(said.replace(/^\((.*)\)$/, "$1"));
    });

    it("repeats no token and no assertion, whatever the provider quotes", async () => {
      const jwt = `${"h".repeat(30)}.${"p".repeat(40)}.${"s".repeat(50)}`;
      await startWith([{ status: 403, json: { error: { message: `token opaque~1 and ${jwt} lack a scope` } } }]);
      const url = `${server.url}/x`;
      const sent = http.send(async () => ({ method: "GET", url, headers: {}, secrets: ["opaque~1"] }));
      await expect(sent).rejects.toMatchObject({
        message: "this client may not read that (token … and … lack a scope); ask the provider",
      });
    });

    it("by nobody, for the companion does not answer, is the companion's failure", async () => {
      await startWith([OK]);
      const url = "http://127.0.0.1:1/x";
      const sent = http.send(async () => ({ method: "GET", url, headers: {}, isToCompanion: true }));
      await expect(sent).rejects.toMatchObject({ code: "FEED_SIGNER_UNREACHABLE" });
    });

    it.each([
      ["HTML", { text: "<h1>Bad gateway</h1>", headers: html }],
      ["nothing", { text: "" }],
    ])("with %s leaves the status to speak", async (_, body) => {
      await startWith([{ status: 502, ...body }]);
      expect((await fail()).message).toBe("the provider failed with 502; refresh later");
    });

    it("is quoted in 200 characters at most, trace id included", async () => {
      await startWith([{ status: 400, json: { error: { message: "m".repeat(9_999), traceId: "t".repeat(9_999) } } }]);
      const { message, facts } = await fail();
      expect(message).toHaveLength("the provider refused the request with 400 (); correct what it names".length + 201);
      expect(facts.traceId).toHaveLength(201);
    });
  });

  describe("that is asked to wait", () => {
    /** The answer has come and the wait has begun: chance is asked for its length just before. */
    const untilPaused = async () => {
      let isPaused = false;
      clock.ports.random = () => {
        isPaused = true;
        return 0;
      };
      await until(() => isPaused);
    };

    it("waits as many seconds as Retry-After says", async () => {
      await startWith([{ status: 429, json: {}, headers: { "retry-after": "7" } }, OK], {});
      const answer = send();
      await untilPaused();
      await clock.advance(6_999);
      expect(server.requests).toHaveLength(1);
      await clock.advance(1);
      expect((await answer).body).toEqual({ fine: true });
    });

    it("waits until the date that Retry-After names", async () => {
      await startWith([{ status: 503, json: {}, headers: { "retry-after": "Wed, 20 Nov 2024 09:30:12 GMT" } }, OK], {});
      const answer = send();
      await untilPaused();
      await clock.advance(11_999);
      expect(server.requests).toHaveLength(1);
      await clock.advance(1);
      expect((await answer).body).toEqual({ fine: true });
    });

    it("gives up at once when that is beyond its deadline, and says for how long", async () => {
      await startWith([{ status: 429, json: {}, headers: { "retry-after": "3600" } }], {});
      expect(await fail()).toMatchObject({
        code: "FEED_RATE_LIMITED",
        message: "too many requests; wait 3600 seconds, then refresh",
        facts: { status: 429, retryAfterMs: 3_600_000 },
      });
      expect([server.requests.length, clock.timers()]).toEqual([1, 0]);
    });

    it("leaves no timer behind when nobody waits for it any more", async () => {
      await startWith([{ status: 429, json: {}, headers: { "retry-after": "20" } }], {});
      const caller = new AbortController();
      const answer = fail(caller.signal);
      await untilPaused();
      caller.abort("gone");
      expect(await answer).toBe("gone");
      expect(clock.timers()).toBe(0);
    });
  });

  describe("that gets something else than an answer", () => {
    const cut: Answering = {
      raw: (response) => {
        response.writeHead(200, { "content-length": "100" }).write('{"fine":');
        setImmediate(() => response.destroy());
      },
    };
    it.each<[string, Answering]>([
      ["a sign-in page", { text: "<!doctype html><title>Sign in</title>", headers: html }],
      ["half a JSON", { text: '{"data": [1, 2' }],
      ["an empty body", { text: "" }],
      ["no content", { status: 204, text: "" }],
      ["a body that breaks off", cut],
      ["a connection that closes", { raw: (response) => response.destroy() }],
      ["a redirect", { status: 302, text: "", headers: { location: "/login" } }],
    ])("fails with FEED_NETWORK_FAILED after three tries of %s", async (_, answering) => {
      await startWith([answering]);
      expect(await fail()).toMatchObject({ code: "FEED_NETWORK_FAILED" });
      expect(server.requests.map(({ path }) => path)).toEqual(["/x", "/x", "/x"]);
    });

    it("fails with FEED_NETWORK_FAILED of a redirect as a browser shows it, with status 0", async () => {
      await startWith([OK]);
      http = createHttp(createClock({ hurryMs: 1_000, fetch: async () => Response.error() }).ports, 1);
      expect(await fail()).toMatchObject({
        code: "FEED_NETWORK_FAILED",
        message: expect.stringContaining("a redirect"),
      });
    });

    it("fails when nobody listens", async () => {
      await startWith([OK]);
      await server.close();
      expect(await fail()).toMatchObject({
        code: "FEED_NETWORK_FAILED",
        message: expect.stringContaining("not reached"),
      });
    });

    it("stops reading at 50 MB", async () => {
      const megabyte = Buffer.alloc(1_000_000, 0x20);
      await startWith([
        {
          raw(response) {
            const pour = () => {
              while (!response.destroyed && response.write(megabyte));
              if (!response.destroyed) response.once("drain", pour);
            };
            pour();
          },
        },
      ]);
      expect(await fail()).toMatchObject({ code: "FEED_RESULT_TOO_LARGE" });
    });
  });

  describe("that is not answered", () => {
    const silent: Answering = { raw: () => {} };
    const slow: Answering = { raw: (response) => void response.writeHead(200).write("{") };

    it.each([
      ["never", silent],
      ["byte by byte", slow],
    ])("%s, is tried again after 15 seconds and ends at 30 to the millisecond", async (_, answering) => {
      await startWith([answering], { hurryMs: 0 });
      let failure: unknown;
      void fail().then((error) => {
        failure = error;
      });
      await until(() => server.requests.length === 1);
      await drain();
      await clock.advance(15_000);
      await clock.advance(300);
      await until(() => server.requests.length === 2);
      await clock.advance(14_699);
      expect(failure).toBeUndefined();
      await clock.advance(1);
      expect(failure).toMatchObject({ code: "FEED_TIMED_OUT", message: "no answer within 30 seconds; refresh later" });
      expect([server.requests.length, clock.timers()]).toEqual([2, 0]);
    });

    it("ends on the wire, too, when its caller leaves", async () => {
      await startWith([silent]);
      const caller = new AbortController();
      const answer = fail(caller.signal);
      await until(() => server.requests.length === 1);
      caller.abort("gone");
      expect(await answer).toBe("gone");
      await until(() => server.requests[0]?.isAborted() === true);
      expect(clock.timers()).toBe(0);
    });

    it("ends when even what makes it never comes", async () => {
      await startWith([OK], {});
      const answer = http.send(() => new Promise(() => {}), { timeoutMs: 2_000 }).catch((error) => error);
      await clock.advance(2_000);
      expect(await answer).toMatchObject({ code: "FEED_TIMED_OUT" });
      expect(server.requests).toEqual([]);
    });

    it("by a fetch that ignores its signal still ends, and its lane is free", async () => {
      await startWith([OK]);
      const stuck = createClock({ fetch: () => new Promise(() => {}) });
      http = createHttp(stuck.ports, 1);
      const answers = [fail(), fail()];
      await stuck.advance(30_000);
      expect(await Promise.all(answers)).toEqual(Array(2).fill(expect.objectContaining({ code: "FEED_TIMED_OUT" })));
      expect(stuck.timers()).toBe(0);
    });
  });

  describe("among many", () => {
    it("waits for one of five lanes, and the slow ones do not hold up the others", async () => {
      const held: (() => void)[] = [];
      await start(() =>
        server.requests.length <= 4 ? new Promise<Answering>((resolve) => held.push(() => resolve(OK))) : OK,
      );
      const answers = Array.from({ length: 24 }, () => send());
      await Promise.all(answers.slice(4));
      expect([held.length, server.requests.length]).toEqual([4, 24]);
      for (const release of held) release();
      expect(await Promise.all(answers)).toHaveLength(24);
    });

    it("costs nothing when it is given up while it waits, and strands nobody", async () => {
      const held: (() => void)[] = [];
      await start(() => new Promise<Answering>((resolve) => held.push(() => resolve(OK))));
      const running = Array.from({ length: 5 }, () => send());
      await until(() => held.length === 5);
      const caller = new AbortController();
      const waiting = fail(caller.signal);
      const last = send();
      caller.abort("gone");
      expect(await waiting).toBe("gone");
      for (const release of held) release();
      await Promise.all(running);
      await until(() => held.length === 6);
      held[5]?.();
      await last;
      expect(server.requests).toHaveLength(6);
    });
  });
});
