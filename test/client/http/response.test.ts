import { afterEach, describe, expect, it } from "@jest/globals";
import { createWire, HTML, OK } from "../../feed/wire";
import CASES from "./response.json";

describe("a refused request", () => {
  const wire = createWire();
  const { startWith, send, fail } = wire;
  afterEach(() => wire.server.close());

  it.each(CASES.statuses as [number, string, number][])(
    "with %p is %s after %p attempts",
    async (status, code, tries) => {
      await startWith([{ status, json: {} }]);
      expect(await fail()).toMatchObject({ code, facts: { status } });
      expect(wire.server.requests).toHaveLength(tries);
      expect(wire.clock.timers()).toBe(0);
    },
  );

  it("with a passing failure is answered by the next attempt", async () => {
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
  ])("in %s shape carries the provider's details", async (_, json, said, traceId) => {
    await startWith([{ status: 400, json }]);
    const error = await fail();
    expect(error.message).toBe(
      `the provider refused the request with 400${said === "with 400" ? "; check the arguments" : ` ${said}; correct what it names`}`,
    );
    expect(error.facts).toMatchObject(traceId === undefined ? { status: 400 } : { status: 400, traceId });
    expect(error.facts.said ?? "with 400").toBe(said.replace(/^\((.*)\)$/, "$1"));
  });

  it("does not repeat a token or an assertion that the provider quotes", async () => {
    const jwt = `${"h".repeat(30)}.${"p".repeat(40)}.${"s".repeat(50)}`;
    await startWith([{ status: 403, json: { error: { message: `token opaque~1 and ${jwt} lack a scope` } } }]);
    const url = `${wire.server.url}/x`;
    const sent = wire.http.send(async () => ({ method: "GET", url, headers: {}, secrets: ["opaque~1"] }));
    await expect(sent).rejects.toMatchObject({
      message: "this client may not read that (token … and … lack a scope); ask the provider",
    });
  });

  it.each([
    ["encoded for an address", (secret: string) => encodeURIComponent(secret)],
    ["in lower case", (secret: string) => secret.toLowerCase()],
    ["in part", (secret: string) => secret.slice(5, 25)],
    ["in base64", (secret: string) => btoa(secret)],
    ["in part, with more around it", (secret: string) => `"${secret.slice(0, 30)}",`],
  ])("does not repeat a token %s, but keeps a company's id", async (_, disguise) => {
    const secret = "Abc~DEF+123/ghi=JKL456mnoPQR789stuVWX";
    const id = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
    await wire.startWith([{ status: 403, json: { error: { message: `${disguise(secret)} lacks ${id}` } } }]);
    const url = `${wire.server.url}/x`;
    const sent = wire.http.send(async () => ({ method: "GET", url, headers: {}, secrets: [secret] }));
    await expect(sent).rejects.toMatchObject({
      message: `this client may not read that (… lacks ${id}); ask the provider`,
    });
  });

  it("to a companion that does not answer is the companion's failure", async () => {
    await startWith([OK]);
    const url = "http://127.0.0.1:1/x";
    const sent = wire.http.send(async () => ({ method: "GET", url, headers: {}, isToCompanion: true }));
    await expect(sent).rejects.toMatchObject({ code: "FEED_SIGNER_UNREACHABLE" });
  });

  it.each([
    ["HTML", { text: "<h1>Bad gateway</h1>", headers: HTML }],
    ["nothing", { text: "" }],
  ])("with %s is described by its status", async (_, body) => {
    await startWith([{ status: 502, ...body }]);
    expect((await fail()).message).toBe("the provider failed with 502; refresh later");
  });

  it("is quoted in 200 characters at most, trace id included", async () => {
    await startWith([{ status: 400, json: { error: { message: "m ".repeat(5_000), traceId: "t ".repeat(5_000) } } }]);
    const { message, facts } = await fail();
    expect(message).toHaveLength("the provider refused the request with 400 (); correct what it names".length + 201);
    expect(facts.traceId).toHaveLength(201);
  });
});
