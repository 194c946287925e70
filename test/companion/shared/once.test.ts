import { expect, it } from "@jest/globals";
import { createOnce } from "../../../src/companion/reads/shared/once";

it("What fails beside something that has landed rejects for its caller, and is left without an owner nowhere", async () => {
  const unowned: unknown[] = [];
  const hear = (error: unknown) => void unowned.push(error);
  process.on("unhandledRejection", hear);
  let failLate = (_error: Error) => {};
  const late = new Promise<string>((_resolve, reject) => {
    failLate = reject;
  });
  const once = createOnce<string>(undefined, Date.now);
  const steps = {
    look: async (keys: readonly string[]) => keys.map(() => undefined),
    ask: () => [Promise.resolve("a"), late],
  };
  const load = once.load(["1", "2"], steps, "ann");
  setImmediate(() => failLate(new Error("no")));
  await expect(load).rejects.toThrow("no");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", hear);
  expect(unowned).toEqual([]);
});
