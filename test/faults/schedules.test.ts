import { describe, it } from "@jest/globals";
import { checkSchedules } from "../soak/schedule";

describe("cells under any sequence of actions and faults", () => {
  it("show nothing but the truth, all of it in the end: 25 schedules", () => checkSchedules(1, 25));
});
