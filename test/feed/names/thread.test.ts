import { describe, expect, it, jest } from "@jest/globals";
import { FeedError } from "../../../src/client/errors";
import { createNameEngine, createNameStore, type NameEngine } from "../../../src/feed/names/engine";
import { createLazyEngine } from "../../../src/feed/names/lazy-engine";
import type { EngineCall } from "../../../src/feed/names/thread";
import { createClock } from "../../support/clock";
import { createSyntheticRows } from "../../support/synthetic-names";
import { until } from "../../support/until";

/** A worker with the real engine; it can be made to crash. */
class EngineWorker extends EventTarget {
  readonly calls: string[] = [];
  isTerminated = false;
  private readonly engine = createNameEngine(createNameStore());

  constructor(
    private readonly crashesAt?: string,
    private readonly isSilentAt?: string,
  ) {
    super();
  }

  async postMessage(sent: EngineCall) {
    const { id, method, parameters } = structuredClone(sent);
    this.calls.push(method);
    if (method === this.crashesAt) return this.dispatchEvent(new Event("error"));
    if (method === this.isSilentAt) return false;
    const run = this.engine[method] as (...given: unknown[]) => Promise<unknown>;
    const data = await run(...parameters).then(
      (value) => ({ id, value }),
      (error) => ({ id, reason: error.message, code: error instanceof FeedError ? error.code : null }),
    );
    return this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
  }

  terminate() {
    this.isTerminated = true;
  }
}

const toWorker = (worker: EngineWorker) => () => worker as unknown as Worker;

const clock = createClock();
const open = (createWorker: (() => Worker) | undefined) => createLazyEngine(clock.ports.after, createWorker);

async function build(engine: NameEngine) {
  await engine.resume("key", 0);
  const names = createSyntheticRows(50);
  const ids = names.map(([id]) => id as string);
  const page = { number: 1, requestedSize: 50, pageSize: 50, total: 50, ids, atMs: 1 };
  await engine.add("key", { ...page, family: "taxonomy", names });
  return engine.finish("key", { builtAtMs: 1, missing: [] });
}

describe("the engine's thread", () => {
  it("uses the worker for everything, and creates it on first use", async () => {
    const worker = new EngineWorker();
    let made = 0;
    const engine = open(() => {
      made++;
      return worker as unknown as Worker;
    });
    expect(made).toBe(0);
    expect(await build(engine)).toEqual({ builtAtMs: 1, missing: [], companies: 50 });
    expect((await engine.search("key", "foods", 3)).rows).toHaveLength(3);
    expect(made).toBe(1);
    expect(worker.calls).toEqual(["resume", "add", "finish", "search"]);
  });

  it("uses the page if there is no worker or it cannot be created", async () => {
    const refuse = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    for (const engine of [open(undefined), open(refuse)]) {
      expect(await build(engine)).toMatchObject({ companies: 50 });
    }
  });

  it("falls back to the page if the worker does not load", async () => {
    const worker = new EngineWorker("resume");
    expect(await build(open(toWorker(worker)))).toMatchObject({ companies: 50 });
    expect(worker.isTerminated).toBe(true);
    expect(worker.calls).toEqual(["resume"]);
  });

  it("falls back to the page if the worker is silent for a minute", async () => {
    const worker = new EngineWorker(undefined, "search");
    const engine = open(toWorker(worker));
    await build(engine);
    expect(clock.timers()).toBe(0);
    const found = engine.search("key", "foods", 3).catch((error) => error.code);
    await until(() => worker.calls.includes("search"));
    await clock.advance(59_999);
    expect([worker.isTerminated, clock.timers()]).toEqual([false, 1]);
    await clock.advance(1);
    expect([worker.isTerminated, clock.timers()]).toEqual([true, 0]);
    expect(await found).toBe("FEED_INDEX_NOT_READY"); // there is no storage here that could have persisted the index
    expect(await build(engine)).toMatchObject({ companies: 50 });
  });

  it("fails as a network failure if its script does not load, and recovers once it does", async () => {
    const script = "../../../src/feed/names/engine";
    const engine = open(undefined);
    jest.doMock(script, () => {
      throw new Error("Loading chunk names-here failed.");
    });
    await expect(build(engine)).rejects.toMatchObject({
      code: "FEED_NETWORK_FAILED",
      message: "a script of this add-in was not reached; check the network and that the companion runs, then refresh",
    });
    jest.dontMock(script);
    expect(await build(engine)).toMatchObject({ companies: 50 });
  });

  it("reports that pages are lost when the worker crashes with them", async () => {
    const engine = open(toWorker(new EngineWorker("finish")));
    await expect(build(engine)).rejects.toMatchObject({
      code: "FEED_INDEX_NOT_READY",
      message: "the index of names is lost; build it again in the FEED pane",
    });
    expect(await build(engine)).toMatchObject({ companies: 50 });
  });

  it("reports an unexpected failure of the worker as internal", async () => {
    const engine = open(toWorker(new EngineWorker()));
    await build(engine);
    await expect(engine.search("key", null as never, 3)).rejects.toMatchObject({
      code: "FEED_INTERNAL",
      message: expect.stringContaining("failed on its own: "),
    });
  });

  it("passes on the worker's errors", async () => {
    const engine = open(toWorker(new EngineWorker()));
    await expect(engine.search("none", "a", 1)).rejects.toMatchObject({
      code: "FEED_INDEX_NOT_READY",
      message: "the index of names is lost; build it again in the FEED pane",
    });
  });
});
