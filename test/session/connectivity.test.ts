import { beforeEach, describe, expect, it } from "@jest/globals";
import { ERRORS, type FeedCode, FeedError } from "../../src/client/errors";
import type { SessionState } from "../../src/session/connecting";
import { type Connectivity, createConnectivity } from "../../src/session/recovering";
import { type Clock, createClock, drain } from "../support/clock";
import { createStorage } from "../support/storage";

const MINUTE_MS = 60_000;
const CODES = Object.keys(ERRORS) as FeedCode[];

const listCodes = (isMeant: (error: FeedError) => boolean): string =>
  CODES.filter((code) => isMeant(new FeedError(code, ""))).join(" ");

describe("connectivity", () => {
  let clock: Clock;
  let storage: ReturnType<typeof createStorage>;
  let isThere: boolean;
  let look: () => void;
  let state: SessionState["status"];
  let connectedAtMs: number;
  /** The started actions and notifications, in order. */
  let done: string[];
  let connectivity: Connectivity;

  beforeEach(() => {
    storage = createStorage();
    [isThere, state, connectedAtMs, done] = [true, "connected", 0, []];
  });

  function open(startMs?: number): void {
    const network = { isThere: () => isThere, watch: (listener: () => void) => (look = listener) };
    clock = createClock({ network, storage, startMs });
    connectivity = createConnectivity({
      ports: clock.ports,
      connecting: {
        state: () => ({ status: state, connectedAtMs }) as SessionState,
        async connect() {
          done.push("connect");
          state = "connected";
        },
      },
      queryCache: {
        async retryFailed(isMeant) {
          done.push(`ask again: ${listCodes((error) => isMeant(error, ""))}`);
          return [];
        },
      },
      tryNow: () => void done.push("try now"),
      notify: () => void done.push("tell"),
    });
  }
  const setOnline = async (is: boolean) => {
    isThere = is;
    look();
    await drain();
  };
  const ASK_AGAIN = ["try now", "ask again: FEED_SIGNER_UNREACHABLE FEED_NETWORK_FAILED FEED_TIMED_OUT"];

  it("is online until the browser reports offline, and notifies once", async () => {
    open();
    expect(connectivity.offlineSinceMs()).toBeNull();
    await clock.advance(MINUTE_MS);
    await setOnline(false);
    await setOnline(false);
    expect(connectivity.offlineSinceMs()).toBe(clock.nowMs());
    expect(done).toEqual(["tell"]);
  });

  it.each<[action: string, SessionState["status"], string[]]>([
    ["refetches failed queries once, on the existing connection", "connected", ASK_AGAIN],
    ["reconnects first", "failed", ["connect", ...ASK_AGAIN]],
    ["starts nothing", "idle", []],
    ["starts nothing", "disconnected", []],
  ])("%s when the network returns for a session that is %s", async (_action, status, then) => {
    open();
    await setOnline(false);
    state = status;
    await setOnline(true);
    await setOnline(true);
    connectivity.follow();
    await drain();
    expect(connectivity.offlineSinceMs()).toBeNull();
    expect(done).toEqual(["tell", "tell", ...then]);
  });

  it.each([
    ["connected", [...ASK_AGAIN]],
    ["failed", ["connect", ...ASK_AGAIN]],
  ] as const)("waits for a connection attempt in progress that ends %s before it refetches", async (end, then) => {
    open();
    await setOnline(false);
    state = "connecting";
    await setOnline(true);
    done = [];
    connectivity.follow();
    await drain();
    expect(done).toEqual([]);
    state = end;
    connectivity.follow();
    connectivity.follow();
    await drain();
    expect(done).toEqual(then);
  });

  it("has the same offline time after the page reloads offline", async () => {
    open();
    await setOnline(false);
    const sinceMs = clock.nowMs();
    open(sinceMs + MINUTE_MS);
    expect(connectivity.offlineSinceMs()).toBe(sinceMs);
    await setOnline(true);
    await clock.advance(MINUTE_MS);
    await setOnline(false);
    expect(connectivity.offlineSinceMs()).toBe(sinceMs + 2 * MINUTE_MS);
  });

  it("has a new offline time if a page was online in between", () => {
    isThere = false;
    open();
    isThere = true;
    open();
    isThere = false;
    open(clock.nowMs() + MINUTE_MS);
    expect(connectivity.offlineSinceMs()).toBe(clock.nowMs());
  });

  it.each(["", "soon", "-1", "99999999999999", "NaN"])("ignores the stored offline time %j", (persisted) => {
    storage().setItem("feed.offline-since", persisted);
    isThere = false;
    open();
    expect(connectivity.offlineSinceMs()).toBe(clock.nowMs());
  });

  it("works without storage", async () => {
    storage = () => {
      throw new Error("blocked");
    };
    open();
    await setOnline(false);
    expect(connectivity.offlineSinceMs()).toBe(clock.nowMs());
    await setOnline(true);
    expect(connectivity.offlineSinceMs()).toBeNull();
  });

  it("counts as online after a successful connection, whatever the browser reports", async () => {
    open();
    await setOnline(false);
    connectedAtMs = clock.nowMs() + 1;
    expect(connectivity.offlineSinceMs()).toBeNull();
    state = "failed";
    expect(connectivity.offlineSinceMs()).toBe(clock.nowMs());
  });
});
