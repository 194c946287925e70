import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { toPolicies } from "../../src/session/settings";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { until } from "../support/until";

let companion: RunningCompanion;
let session: Session;
let id: string;
let events: string[];
/** While set, requests settle as it does. */
let gone: Promise<Response> | null;

beforeEach(async () => {
  companion = await startCompanion({ companies: 50 });
  gone = null;
  const ports = createPorts();
  const companionUrl = companion.origin;
  session = createSession({
    ports: { ...ports, fetch: (...parameters) => gone ?? ports.fetch(...parameters) },
    companionUrl,
  });
  await session.connect();
  id = (await (await session.feed.probes()).load("companies", "JPN")) as string;
  events = [];
  session.feed.queryCache.observe(session.feed.companies.query(id), (state) => {
    const error = state.status === "pending" ? null : state.error;
    events.push(error === null ? state.status : `${state.status}: ${(error as { code: string }).code}`);
  });
  await until(() => events.at(-1) === "answered");
});
afterEach(async () => {
  session.disconnect(); // ends the schedule too
  session.feed.queryCache.close();
  await companion.close();
});

const startAgain = async () => {
  companion = await startCompanion({ companies: 50, port: Number(new URL(companion.origin).port) });
};
const steps = () => Object.values(session.journey()).map(({ status }) => status);

describe("a lost connection", () => {
  it("is reported when the companion has ended, while the cell keeps its value", async () => {
    await companion.close();
    expect((await session.refresh()).failures).toMatchObject([{ code: "FEED_SIGNER_UNREACHABLE" }]);
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "FEED_SIGNER_UNREACHABLE" } });
    expect(session.state().configuration).toMatchObject({ sample: true });
    expect(steps()).toEqual(["failed", "waiting", "waiting"]);
    expect(events.at(-1)).toBe("answered: FEED_SIGNER_UNREACHABLE");
  });

  it("is restored in all steps by Connect or by the next refresh", async () => {
    for (const recover of [() => session.connect(), () => session.refresh()]) {
      await companion.close();
      await session.refresh();
      await startAgain();
      await recover();
      await until(() => session.state().status === "connected" && events.at(-1) === "answered");
      expect(steps()).toEqual(["done", "done", "done"]);
    }
  });

  it("is reported when the provider refuses the key", async () => {
    Object.assign(companion.controls.answers, {
      getCompany: { status: 401, times: 9 },
      createToken: { status: 401, times: 9 },
    });
    await session.refresh();
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "FEED_TOKEN_REFUSED" } });
    expect(steps()).toEqual(["done", "done", "failed"]);
    companion.controls.reset();
    await session.connect();
    await until(() => events.at(-1) === "answered");
  });

  it("is not reported when a data request fails", async () => {
    for (const status of [401, 403, 404, 500]) {
      companion.controls.answers.getCompany = { status, times: 9 };
      expect((await session.refresh()).failures).toHaveLength(1);
      expect([status, session.state().status]).toEqual([status, "connected"]);
    }
  });

  it("is not reported when a read from before a newer connection fails", async () => {
    let end = () => {};
    gone = new Promise((_, reject) => {
      end = () => reject(new TypeError("no network"));
    });
    const read = session.refresh();
    const wait = gone;
    gone = null;
    session.disconnect();
    await session.connect();
    gone = wait;
    end();
    expect((await read).failures).toMatchObject([{ code: "FEED_SIGNER_UNREACHABLE" }]);
    expect(session.state().status).toBe("connected");
  });

  it("is retried by the refresh schedule", async () => {
    session.change({ refresh: toPolicies("every-5") });
    await companion.close();
    await session.refresh();
    expect([session.state().status, session.schedule.nextAtMs()]).toEqual(["failed", expect.any(Number)]);
  });
});
