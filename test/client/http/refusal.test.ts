import { afterEach, describe, expect, it } from "@jest/globals";
import { callCompanion } from "../../../src/client/companion";
import { needsPairing } from "../../../src/client/errors";
import { createHttp, type Pairing } from "../../../src/client/http";
import { REFUSAL_HEADER } from "../../../src/contract/companion-api";
import { createWire, OK } from "../../feed/wire";
import type { Answering } from "../../support/http-server";
import REFUSALS from "./refusal.json";

const BEARER = "a-bearer-of-forty-three-characters-as-it-is";

const refusal = (status: number, code: string, message = "It is so."): Answering => ({
  status,
  headers: { [REFUSAL_HEADER]: code },
  json: { error: { code, message } },
});

const wire = createWire();
afterEach(() => wire.server.close());

const send = (pairing?: Pairing, isToCompanion = true) =>
  createHttp(wire.clock.ports, 1, { pairing })
    .send(async () => ({ method: "GET", url: `${wire.server.url}/x`, headers: { accept: "a/b" }, isToCompanion }))
    .catch((error) => error);

describe("the companion's own refusal", () => {
  const loadOwn = () =>
    callCompanion(createHttp(wire.clock.ports, 1), `${wire.server.url}/x`, "GET").catch((error) => error);

  it.each(REFUSALS as [number, string, string, string, number][])(
    "with %p %s has the class of its code, on its own paths and the relay's",
    async (status, code, kind, message, tries) => {
      await wire.startWith([refusal(status, code)]);
      for (const error of [await send(), await loadOwn()]) {
        expect(error.constructor.name).toBe(kind);
        expect(error).toMatchObject({ code, message, facts: { status, said: "It is so.", refusal: code } });
      }
      expect(wire.server.requests).toHaveLength(2 * tries);
    },
  );

  it("with an unknown code is FEED_SIGNER_REFUSED", async () => {
    await wire.startWith([{ ...refusal(418, "FEED_TEAPOT"), json: {} } as Answering]);
    expect(await send()).toMatchObject({ code: "FEED_SIGNER_REFUSED", message: "the companion refused with 418" });
  });

  it("of an unpaired page differs from the provider's refusal of a token", async () => {
    await wire.startWith([refusal(401, "FEED_SIGNER_REFUSED"), { status: 401, json: {} }]);
    const [own, relayed] = [await send(), await send()];
    expect([own.code, needsPairing(own)]).toEqual(["FEED_SIGNER_REFUSED", true]);
    expect([relayed.code, needsPairing(relayed)]).toEqual(["FEED_UNAUTHORISED", false]);
  });

  it("is not recognised in an answer of a provider reached directly", async () => {
    await wire.startWith([refusal(401, "FEED_SIGNER_REFUSED")]);
    expect(await send(undefined, false)).toMatchObject({ code: "FEED_UNAUTHORISED" });
  });

  it("can be an empty success, which a provider's cannot", async () => {
    await wire.startWith([{ status: 204, text: "" }]);
    expect(await send()).toEqual({ body: null });
  });
});

describe("a pairing", () => {
  const apiHeaders = () =>
    wire.server.requests.map(({ headers }) => [headers.accept, headers["feed-client"], headers["feed-pairing"]]);

  it("is sent to the companion and never to a provider", async () => {
    await wire.startWith([OK]);
    for (const isToCompanion of [true, false]) await send({ bearer: () => BEARER, refused() {} }, isToCompanion);
    await send({ bearer: () => null, refused() {} });
    expect(apiHeaders()).toEqual([
      ["a/b", "excel", BEARER],
      ["a/b", undefined, undefined],
      ["a/b", "excel", undefined],
    ]);
  });

  it("is read again for each attempt, since another window can replace it", async () => {
    await wire.startWith([{ status: 503, json: {} }, OK]);
    const bearers = ["first", "second"];
    await send({ bearer: () => bearers.shift() ?? null, refused() {} });
    expect(apiHeaders().map(([, , bearer]) => bearer)).toEqual(["first", "second"]);
  });

  it("is reported when the companion refuses it, and for no other refusal", async () => {
    const refusals: unknown[] = [];
    const pairing: Pairing = { bearer: () => BEARER, refused: ({ code }, bearer) => refusals.push([code, bearer]) };
    await wire.startWith([{ status: 401, json: {} }, refusal(403, "FEED_SIGNER_REFUSED"), refusal(401, "ANY")]);
    for (let count = 0; count < 3; count++) await send(pairing);
    expect(refusals).toEqual([["FEED_SIGNER_REFUSED", BEARER]]);
  });

  it("is redacted from every error that quotes it", async () => {
    await wire.startWith([
      { status: 403, json: { message: `no ${BEARER} here` } },
      refusal(403, "FEED_SIGNER_REFUSED", `no ${BEARER} here`),
    ]);
    const pairing: Pairing = { bearer: () => BEARER, refused() {} };
    for (let count = 0; count < 2; count++) expect((await send(pairing)).message).toContain("no … here");
  });
});
