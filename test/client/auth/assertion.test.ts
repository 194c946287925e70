import { afterEach, describe, expect, it } from "@jest/globals";
import { loadAssertion } from "../../../src/client/auth/assertion";
import { createWire } from "../../feed/wire";

describe("an assertion", () => {
  const wire = createWire();
  afterEach(() => wire.server.close());
  const signed = { clientId: "client", keyId: "key", assertion: "header.payload.signature" };

  it.each([
    [undefined, 0],
    [null, 0],
    ["soon", 0],
    ["7", 0],
    [{}, 0],
    [-31_000, -31_000],
  ])("with the clock skew %j counts as %d ms", async (clockSkewMs, expected) => {
    await wire.startWith([{ json: { ...signed, clockSkewMs } }]);
    expect(await loadAssertion(wire.http, wire.server.url)).toEqual({ ...signed, clockSkewMs: expected });
  });

  it("that is malformed is refused", async () => {
    await wire.startWith([{ json: { ...signed, assertion: 7 } }]);
    await expect(loadAssertion(wire.http, wire.server.url)).rejects.toMatchObject({ code: "FEED_SIGNER_REFUSED" });
  });
});
