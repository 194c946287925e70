import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import type { Query } from "../../src/feed/query-cache";
import type { View } from "../../src/functions/view-observer";
import { createSession, type Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";
import { createInvocation, createQuery, type Invocation, openCell, settle, toValue, viewOf } from "./streamed-queries";

beforeAll(installCustomFunctions);

let session: Session;
beforeEach(() => {
  session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:9" });
});
afterEach(() => session.feed.queryCache.close());

const open = (invocation: Invocation, read: () => View) => openCell(session, invocation, read);

describe("a stream", () => {
  it("rereads its arguments at a refresh only if they depend on today", async () => {
    const reads = { relative: 0, fixed: 0 };
    const read = (name: keyof typeof reads, rereadsOnRefresh: boolean) => () => {
      reads[name]++;
      return { ...viewOf(), rereadsOnRefresh };
    };
    const relative = createInvocation();
    open(relative, read("relative", true));
    open(createInvocation(), read("fixed", false));
    await session.refresh();
    expect(reads).toEqual({ relative: 2, fixed: 1 });
    relative.onCanceled();
    await session.refresh();
    expect(reads).toEqual({ relative: 2, fixed: 1 });
  });

  it("rereads its arguments when settings change, and shows known values without a request", async () => {
    const { query, loads } = createQuery("a");
    const [invocation, left] = [createInvocation(), createInvocation()];
    const read = (): View => {
      const { dateSystem } = session.settings;
      return { ...viewOf(query), show: ([settled]) => ({ rows: [[toValue(settled), dateSystem]], expected: 1 }) };
    };
    open(invocation, read);
    open(left, read);
    await settle();
    loads[0]?.answer(1);
    await settle();
    left.onCanceled();
    session.change({ dateSystem: 1904 });
    session.change({ timeZone: "Europe/Paris" });
    expect([invocation.shown, left.shown]).toEqual([[[[1, 1900]], [[1, 1904]]], [[[1, 1900]]]]);
    await settle();
    expect([loads.length, session.feed.queryCache.size()]).toEqual([1, 1]);
  });

  it("changes to the new query when the day has changed, and keeps the old value until then", async () => {
    const days = [createQuery("monday"), createQuery("tuesday")];
    let day = 0;
    const invocation = createInvocation();
    open(invocation, () => ({ ...viewOf(days[day]?.query as Query<unknown>), rereadsOnRefresh: true }));
    await settle();
    days[0]?.loads[0]?.answer("Mon");
    await settle();
    day = 1;
    const refreshed = session.refresh();
    await settle();
    expect(invocation.shown).toEqual([[["Mon"]]]);
    for (const { loads } of days) for (const load of loads) load.answer("Tue");
    await refreshed;
    await settle();
    expect(invocation.shown).toEqual([[["Mon"]], [["Tue"]]]);
  });
});
