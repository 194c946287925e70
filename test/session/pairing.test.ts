import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { needsPairing } from "../../src/client/errors";
import type { Ports } from "../../src/client/ports";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import type { Session } from "../../src/session/session";
import { toCode } from "../../src/session/sign-in";
import { startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { until } from "../support/until";
import codes from "./pairing-codes.json";
import { JANUARY, keepPage } from "./scripted-session";

describe("a page at a companion with a provider", () => {
  let provider: RunningProvider;
  let sent: { url: string; headers: Record<string, string> }[];

  beforeAll(async () => {
    provider = await startSandbox({ companies: 20 });
  });
  const page = keepPage(() => startCompanion({ provider }), { isOfTest: true });
  beforeEach(() => {
    sent = [];
  });
  afterEach(() => provider.controls.reset());
  afterAll(() => provider.close());

  /** Opens a window, with a session of its own. */
  const open = (storage = page.storage): Session => {
    const recording: typeof fetch = (url, init = {}) => {
      sent.push({ url: String(url), headers: init.headers as Record<string, string> });
      return fetch(url, init);
    };
    page.open({ startMs: Date.now(), fetch: recording, storage });
    return page.session;
  };
  const openPaired = async (persisted = page.storage) => {
    const session = open(persisted);
    await session.pair(await page.server.pairings.issueSent());
    expect(session.state().status).toBe("connected");
    return session;
  };
  const read = (session: Session, pages: number) =>
    awaitAnswer(session.feed, session.feed.rankings.queryCompanies(JANUARY, pages));
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error) => error,
    );

  it("does not connect unpaired, says what to do, and reaches neither key nor provider", async () => {
    const session = open();
    await session.connect();
    expect(session.pairing()).toBe("wanted");
    expect(session.state()).toMatchObject({
      status: "failed",
      configuration: null,
      error: {
        code: "FEED_SIGNER_REFUSED",
        message: "this page is not paired with the companion; enter the pairing code in the FEED pane",
      },
    });
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(["/companion/config"]);
    expect(provider.controls.requests).toEqual([]);
  });

  it("connects once it has the code, and automatically the next time", async () => {
    const first = await openPaired();
    expect(first.pairing()).toBe("kept");
    const next = open();
    await next.connect();
    expect([next.state().status, next.pairing()]).toEqual(["connected", "kept"]);
  });

  it("reports a wrong code, stays unpaired and accepts another code", async () => {
    const session = open();
    await session.connect();
    const code = await page.server.pairings.issueSent();
    expect(await failureOf(session.pair("AAAA-AAAA"))).toMatchObject({
      code: "FEED_SIGNER_REFUSED",
      facts: {
        status: 403,
        refusal: "FEED_PAIRING_CODE_WRONG",
        said: expect.stringContaining("npm run companion -- pair"),
      },
    });
    expect([session.state().status, session.pairing()]).toEqual(["failed", "wanted"]);
    await session.pair(code);
    expect([session.state().status, session.pairing()]).toEqual(["connected", "kept"]);
  });

  it("connects by its code while an attempt without it is under way", async () => {
    const session = open();
    const early = session.connect();
    await session.pair(await page.server.pairings.issueSent());
    await early;
    expect([session.state().status, session.pairing()]).toEqual(["connected", "kept"]);
  });

  it("sends its bearer in the header of every request to the companion, never in a URL", async () => {
    const session = await openPaired();
    await read(session, 5);
    const bearer = page.storage().getItem(PAIRING_STORAGE_KEY) ?? "";
    expect(bearer).toMatch(/^[\w-]{43}$/);
    for (const { url, headers } of sent) {
      expect([url, headers["feed-client"]]).toEqual([url, "excel"]);
      expect(url).not.toContain(bearer);
    }
    expect(sent.slice(1).every(({ headers }) => headers["feed-pairing"] === bearer)).toBe(true);
  });

  it("reports an ended pairing in its cells, renews no token and needs a new code", async () => {
    const session = await openPaired();
    await read(session, 5);
    await page.server.pairings.revoke();
    const before = provider.controls.count("createToken");
    const refused = sent.length;
    const error = await failureOf(read(session, 6));
    expect(needsPairing(error)).toBe(true);
    expect(error).toMatchObject({ code: "FEED_SIGNER_REFUSED", cell: "#N/A" });
    expect(error.message).toContain("enter the pairing code in the FEED pane");
    expect([sent.length - refused, provider.controls.count("createToken") - before]).toEqual([1, 0]);
    expect([session.state().status, session.pairing()]).toEqual(["failed", "wanted"]);
    expect(session.journey().companion).toMatchObject({ status: "failed", error: { code: "FEED_SIGNER_REFUSED" } });
  });

  it("reconnects in all steps after a new pairing, and fills the cells that failed", async () => {
    const session = await openPaired();
    await page.server.pairings.revoke();
    await page.show("failed", page.toRanking(5));
    await session.pair(await page.server.pairings.issueSent());
    expect(Object.values(session.journey()).map(({ status }) => status)).toEqual(["done", "done", "done"]);
    await page.untilAll("answered", page.toRanking(5));
  });

  it("uses a pairing made in another window", async () => {
    const waiting = open();
    await waiting.connect();
    expect(waiting.pairing()).toBe("wanted");
    await openPaired();
    expect(await read(waiting, 5)).toBeDefined();
    await until(() => waiting.state().status === "connected");
    expect(waiting.pairing()).toBe("kept");
  });

  it("ends its own pairing at the companion", async () => {
    const session = await openPaired();
    const bearer = page.storage().getItem(PAIRING_STORAGE_KEY);
    await session.unpair();
    expect([session.state().status, session.pairing()]).toEqual(["disconnected", "none"]);
    expect([page.storage().getItem(PAIRING_STORAGE_KEY), await page.server.pairings.list()]).toEqual([null, []]);
    page.storage().setItem(PAIRING_STORAGE_KEY, String(bearer));
    const next = open();
    await next.connect();
    expect(next.pairing()).toBe("wanted");
  });

  it("forgets a pairing that the companion already ended", async () => {
    const session = await openPaired();
    await page.server.pairings.revoke();
    await session.unpair();
    expect([session.pairing(), page.storage().getItem(PAIRING_STORAGE_KEY)]).toEqual(["none", null]);
  });

  it("ignores a stored value that cannot be a bearer", async () => {
    page.storage().setItem(PAIRING_STORAGE_KEY, "no\nbearer");
    const session = open();
    await session.connect();
    expect([session.pairing(), sent[0]?.headers["feed-pairing"]]).toEqual(["wanted", undefined]);
  });

  it.each<[string, Ports["storage"]]>([
    ["blocks its storage", () => refuse("SecurityError")],
    ["has no room left", () => ({ ...createStorage()(), setItem: () => refuse("QuotaExceededError") })],
  ])("is paired until it closes, and says so, in a browser that %s", async (_, persisted) => {
    const session = await openPaired(persisted);
    expect(session.pairing()).toBe("passing");
    expect(await read(session, 5)).toBeDefined();
    await session.unpair();
    expect([session.pairing(), await page.server.pairings.list()]).toEqual(["none", []]);
  });
});

function refuse(name: string): never {
  throw new DOMException("refused", name);
}

it.each<(string | null)[]>(codes)("a pairing code %j reads as %p", (written, code) => {
  expect(toCode(written as string)).toBe(code);
});
