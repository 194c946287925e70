import { describe, expect, it } from "@jest/globals";
import { until } from "./until";

describe("until", () => {
  it("waits until the condition is so", async () => {
    let looks = 0;
    await until(() => ++looks === 3);
    await until(async () => ++looks === 6);
    expect(looks).toBe(6);
  });

  it("ends with the condition's own text if it never is", async () => {
    const requests: string[] = [];
    await expect(until(() => requests.length === 1, 20)).rejects.toThrow(
      "Waited 0.02 s in vain for: ()=>requests.length === 1",
    );
  });

  it("ends although a step of the condition never does", async () => {
    await expect(until(() => new Promise(() => {}), 20)).rejects.toThrow("Waited 0.02 s in vain for: ");
  });
});
