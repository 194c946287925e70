import { expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";

it("a delay longer than a browser's timers allow does not fire at once", async () => {
  const { after } = createPorts();
  const first = await new Promise<string>((resolve) => {
    const callOff = after(30 * 86_400_000, () => resolve("in a month"));
    after(5, () => {
      callOff();
      resolve("in a moment");
    });
  });
  expect(first).toBe("in a moment");
});
