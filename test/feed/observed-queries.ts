import { RequestError } from "../../src/feed/errors";
import { createWatch, type LoadContext, type Question, type State } from "../../src/feed/query-cache";
import { createClock, drain } from "../support/clock";

/** A load that a question began; the test ends it. */
export interface Load {
  context: LoadContext<string>;
  answer: (value: string) => void;
  fail: (error: unknown) => void;
}

export const failure = new RequestError("FEED_SERVER_FAILED", "x");

export type Questions = ReturnType<typeof createQuestions>;

/** Creates a watch on a clock of its own, and what a test needs to listen to it and to answer its loads in their order. */
export function createQuestions() {
  const clock = createClock();
  const watch = createWatch(clock.ports);
  const loads: Load[] = [];
  const ofKey = (key: string, within?: string): Question<string> => ({
    key: [key],
    ...(within !== undefined && { within: [within] }),
    load: (context) => new Promise((answer, fail) => loads.push({ context, answer, fail })),
  });
  const listen = (key = "a", within?: string) => {
    const heard: State<string>[] = [];
    const stop = watch.watch(ofKey(key, within), (state) => heard.push(state));
    const shown = () =>
      heard.map((state) => {
        if (state.status !== "answered") return state.status === "failed" ? state.error : state.status;
        return `${state.answer.value}${state.answer.isComplete ? "" : " …"}${state.error ? " !" : ""}`;
      });
    return { heard, shown, stop };
  };
  const settle = async (index: number, outcome: string | Error) => {
    const load = loads[index] as Load;
    if (typeof outcome === "string") load.answer(outcome);
    else load.fail(outcome);
    await drain();
  };
  return { clock, watch, loads, ofKey, listen, settle };
}
