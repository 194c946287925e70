import { describe, expect, it } from "@jest/globals";
import { finishInSlices, mapInSteps, runInSlices, type Steps } from "../../src/taskpane/slices";

/** Steps of which a slice ends after 20. */
function* takeLong(steps: number): Steps<number> {
  for (let step = 0; step < steps; step++) {
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    yield;
  }
  return steps;
}

describe("work in slices", () => {
  it("is done at once where it is little", () => {
    const results: number[][] = [];
    runInSlices(
      mapInSteps([1, 2, 3], (each) => each * 2),
      (doubled) => results.push(doubled),
    );
    expect(results).toEqual([[2, 4, 6]]);
  });

  it("lets other tasks run in between where it is long", async () => {
    let tasks = 0;
    const timer = setInterval(() => tasks++);
    expect(await finishInSlices(takeLong(25))).toBe(25);
    clearInterval(timer);
    expect(tasks).toBeGreaterThan(0);
  });

  it("can be cancelled between two slices", async () => {
    let isDone = false;
    const cancel = runInSlices(takeLong(25), () => {
      isDone = true;
    });
    cancel();
    await finishInSlices(takeLong(45)); // longer than what was cancelled
    expect(isDone).toBe(false);
  });

  it("rejects with the error of a later slice", async () => {
    function* fail(): Steps<void> {
      yield* takeLong(25);
      throw new Error("a step failed");
    }
    await expect(finishInSlices(fail())).rejects.toThrow("a step failed");
  });
});
