import { FeedError } from "../../client/errors";
import { createPersistedEngine } from "./engine";
import type { EngineAnswer, EngineCall } from "./thread";

// The script of the worker: folding and searching must not block cells and pane.
const engine = createPersistedEngine();

addEventListener("message", async ({ data }: MessageEvent<EngineCall>) => {
  const { id, method, parameters } = data;
  const call = engine[method] as (...given: unknown[]) => Promise<unknown>;
  postMessage(await answer(id, () => call(...parameters)));
});

async function answer(id: number, run: () => Promise<unknown>): Promise<EngineAnswer> {
  try {
    return { id, value: await run() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, reason, code: error instanceof FeedError ? error.code : null };
  }
}
