import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { lazily, stream } from "../../src/functions/stream";
import type { View } from "../../src/functions/view-observer";
import { createSession, type Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";
import { createInvocation, createQuery, type Invocation, settle, viewOf } from "./streamed-queries";

beforeAll(installCustomFunctions);

let session: Session;
beforeEach(() => {
  session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:9" });
});
afterEach(() => session.feed.queryCache.close());

type Open = ReturnType<typeof lazily<object>>;

const type = (invocation: Invocation, open: Open) =>
  stream(session, invocation as unknown as CustomFunctions.StreamingInvocation<unknown[][]>, "TEST", {}, open);

describe("a formula whose view has a script of its own", () => {
  it("shows its answer once script and answer are there, and loads the script once for all cells", async () => {
    const { query, loads } = createQuery("a");
    let scripts = 0;
    const open = lazily(async () => {
      scripts++;
      return () => viewOf(query);
    });
    const [first, second] = [createInvocation(), createInvocation()];
    type(first, open);
    await settle();
    loads[0]?.answer(1);
    await settle();
    type(second, open);
    await settle();
    expect([first.shown, second.shown, scripts, loads.length]).toEqual([[[[1]]], [[[1]]], 1, 1]);
  });

  it("says that its script was not reached, and loads it again at a refresh", async () => {
    const { query, loads } = createQuery("a");
    let isThere = false;
    const open = lazily(async () => {
      if (!isThere) throw new Error("the script did not come");
      return () => viewOf(query);
    });
    const invocation = createInvocation();
    type(invocation, open);
    await settle();
    expect(String(invocation.shown[0])).toMatch(/FEED_NETWORK_FAILED: a script of this add-in was not reached/);
    isThere = true;
    const refreshed = session.refresh();
    await settle();
    loads[0]?.answer(1);
    await refreshed;
    await settle();
    expect(invocation.shown.slice(1)).toEqual([[[1]]]);
  });

  it("observes nothing when its cell was emptied before the script came", async () => {
    const { query } = createQuery("a");
    let give = (_open: () => View) => {};
    const open = lazily(() => new Promise<() => View>((resolve) => (give = resolve)));
    const invocation = createInvocation();
    type(invocation, open);
    await settle();
    invocation.onCanceled();
    give(() => viewOf(query));
    await settle();
    expect([session.feed.queryCache.size(), invocation.shown]).toEqual([0, []]);
  });
});
