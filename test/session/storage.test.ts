import { describe, expect, it } from "@jest/globals";
import { createSession } from "../../src/session/session";
import { createClock } from "../support/clock";

describe("the browser's storage", () => {
  it.each([true, false])("is not used by a session that starts (with a network: %s)", (isThere) => {
    let uses = 0;
    const storage = () => {
      uses += 1;
      throw new Error("no storage");
    };
    const { ports } = createClock({ storage, network: { isThere: () => isThere, watch: () => {} } });
    const session = createSession({ ports, companionUrl: "https://companion.test" });
    session.adopt({});
    expect(uses).toBe(0);
    expect(session.isSample()).toBe(false);
    expect(uses).toBe(1);
  });
});
