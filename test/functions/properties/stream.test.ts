import { beforeAll, describe, it } from "@jest/globals";
import fc from "fast-check";
import { installCustomFunctions } from "../../office/custom-functions";
import { type Command, createModel, end, perform } from "./stream-model";

beforeAll(installCustomFunctions);

const cell = fc.nat(2);
const query = fc.nat(2);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("type" as const),
      cell,
      queries: fc.uniqueArray(query, { minLength: 1, maxLength: 2 }),
      isCancelledFirst: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), cell, times: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("answer" as const), query, value: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), query }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("preview" as const), query }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("refresh" as const, "callOff", "settings") }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("advance" as const), byMs: fc.constantFrom(1_000, 1_501, 30_000) }),
  },
);

describe("a formula in its cell", () => {
  it("shows its answers alone and leaks nothing in any order of entry, cancel, answer and refresh", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 16 }), async (commands) => {
        const model = createModel();
        for (const each of commands) await perform(model, each);
        await end(model);
      }),
      { seed: 11, numRuns: 60 },
    );
  });
});
