import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { AssertionMemory } from "../../src/sandbox/token";
import ASSERTION_REFUSALS from "./assertion-refusals.json";
import {
  type AssertionChanges,
  createClient,
  NOW_MS,
  NOW_SECONDS,
  type RunningSandbox,
  startSandbox,
  unknownKeyPair,
} from "./running-sandbox";
import REFUSALS from "./token-refusals.json";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ companies: 10, clients: [createClient("client-1"), createClient("client-2")] });
});
beforeEach(() => {
  sandbox.clock.nowMs = NOW_MS;
});
afterAll(() => sandbox.close());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Changes of an assertion as they are written: null for what is missing, and seconds from now on. */
type Written = Record<"header" | "claims", Record<string, unknown>> & { isUnknownKey?: true };

function toChanges({ header = {}, claims = {}, isUnknownKey }: Written): AssertionChanges {
  const toValue = (name: string, value: unknown) =>
    typeof value === "number" && name !== "jti" ? NOW_SECONDS + value : (value ?? undefined);
  const toAll = (of: object) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, toValue(name, value)]));
  const key = isUnknownKey && { privateKey: unknownKeyPair.privateKey };
  return { header: toAll(header), claims: toAll(claims), ...key };
}

describe("the token endpoint", () => {
  it("exchanges a valid assertion for a bearer token of 300 seconds with no-store", async () => {
    const reply = await sandbox.exchange(sandbox.createForm(await sandbox.sign()));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ access_token: expect.any(String), token_type: "bearer", expires_in: 300 });
    expect(reply.body.access_token.split(".")).toHaveLength(3);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  it.each(ASSERTION_REFUSALS as unknown as [string, Written, string][])(
    "refuses %s",
    async (_what, written, description) => {
      const reply = await sandbox.exchange(sandbox.createForm(await sandbox.sign(toChanges(written))));
      expect([reply.status, reply.body.error]).toEqual([401, "invalid_client"]);
      expect(reply.body.error_description).toContain(description);
    },
  );

  it("accepts a lifetime of exactly 300 seconds", async () => {
    const assertion = await sandbox.sign({ claims: { exp: NOW_SECONDS + 300 } });
    expect((await sandbox.exchange(sandbox.createForm(assertion))).status).toBe(200);
  });

  it("refuses an assertion signed with the public key as a shared secret, and an unsigned one", async () => {
    const claims = (await sandbox.sign()).split(".")[1];
    const secret = JSON.stringify(createClient("client-1").keys[0]!.publicKey);
    const head = `${encode({ alg: "HS256", typ: "JWT", kid: "key-1" })}.${claims}`;
    const forged = `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
    const unsigned = `${encode({ alg: "none", typ: "JWT", kid: "key-1" })}.${claims}.`;
    for (const assertion of [forged, unsigned]) {
      const reply = await sandbox.exchange(sandbox.createForm(assertion));
      expect([reply.status, reply.body.error_description]).toEqual([401, "alg must be RS256."]);
    }
  });

  it("refuses claims that were changed after signing", async () => {
    const [header, , signature] = (await sandbox.sign()).split(".");
    const changed = [header, encode({ iss: "client-1", sub: "client-1" }), signature].join(".");
    const reply = await sandbox.exchange(sandbox.createForm(changed));
    expect(reply.body.error_description).toContain("The signature does not fit");
  });

  it("accepts a jti once for each client", async () => {
    const claims = { jti: "the-same" };
    const assertion = await sandbox.sign({ claims });
    expect((await sandbox.exchange(sandbox.createForm(assertion))).status).toBe(200);
    const again = await sandbox.exchange(sandbox.createForm(await sandbox.sign({ claims })));
    expect([again.status, again.body.error_description]).toEqual([401, "jti was used before."]);
    const other = await sandbox.sign({ claims }, "client-2");
    expect((await sandbox.exchange(sandbox.createForm(other, "client-2"))).status).toBe(200);
  });

  it("does not record the jti of a refused assertion", async () => {
    const claims = { jti: "kept" };
    const wrong = await sandbox.sign({ claims: { ...claims, sub: "x" } });
    expect((await sandbox.exchange(sandbox.createForm(wrong))).status).toBe(401);
    expect((await sandbox.exchange(sandbox.createForm(await sandbox.sign({ claims })))).status).toBe(200);
  });

  it.each(REFUSALS as [string, object, number, string, string][])(
    "refuses %s",
    async (_what, changes, status, code, description) => {
      const reply = await sandbox.exchange({ ...sandbox.createForm(await sandbox.sign()), ...changes });
      expect([reply.status, reply.body.error]).toEqual([status, code]);
      expect(reply.body.error_description).toContain(description);
    },
  );

  it("refuses a field that is given twice", async () => {
    const form = new URLSearchParams(sandbox.createForm(await sandbox.sign()));
    form.append("client_id", "client-2");
    const reply = await sandbox.post("/token", form.toString(), {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect([reply.status, reply.body.error_description]).toEqual([400, "client_id must be given once."]);
  });

  it.each(["application/json", "text/plain"])("refuses a body sent as %s", async (contentType) => {
    const form = sandbox.createForm(await sandbox.sign());
    const reply = await sandbox.post("/token", JSON.stringify(form), { "content-type": contentType });
    expect([reply.status, reply.body.error]).toEqual([400, "invalid_request"]);
    expect(reply.body.error_description).toContain("application/x-www-form-urlencoded");
  });

  it("accepts POST only", async () => {
    expect((await sandbox.read("/token")).status).toBe(405);
  });
});

describe("the memory of used assertions", () => {
  it("forgets expired ones, so that it holds a few minutes' requests", () => {
    const memory = new AssertionMemory();
    for (let second = 0; second < 3_600; second += 1) memory.add("client-1", `jti-${second}`, second + 60, second);
    expect(memory.size).toBeLessThanOrEqual(90);
    expect(memory.add("client-1", "jti-3599", 9_999, 3_600)).toBe(false);
  });
});
