import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toGroups } from "../../../src/client/batch/planner";

describe("groups", () => {
  it("split a list without losing or reordering an item", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (items, size) => {
        const groups = toGroups(items, size);
        expect(groups.flat()).toEqual(items);
        expect(groups.every((group) => group.length > 0 && group.length <= size)).toBe(true);
      }),
      { seed: 8 },
    );
  });
});
