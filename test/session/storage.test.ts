import { afterEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { readPartition } from "../../src/session/pairing";
import { createSession } from "../../src/session/session";
import { createClock } from "../support/clock";

const surroundings = globalThis as { Office?: unknown; localStorage?: unknown };

afterEach(() => {
  delete surroundings.Office;
  delete surroundings.localStorage;
});

function useItems(): Record<string, string> {
  const items: Record<string, string> = {};
  surroundings.localStorage = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(items, { [key]: value }),
    removeItem: (key: string) => delete items[key],
  };
  return items;
}

describe("the browser's storage", () => {
  it("has keys of each site, as Office gives them once it is ready", () => {
    const items = useItems();
    const { storage } = createPorts(readPartition);
    surroundings.Office = {}; // not ready
    storage().setItem("feed.pairing", "early");
    surroundings.Office = { context: { partitionKey: "contoso|" } };
    expect(storage().getItem("feed.pairing")).toBeNull();
    storage().setItem("feed.pairing", "contoso's");
    surroundings.Office = { context: { partitionKey: "fabrikam|" } };
    expect(storage().getItem("feed.pairing")).toBeNull();
    storage().removeItem("feed.pairing");
    expect(items).toEqual({ "feed.pairing": "early", "contoso|feed.pairing": "contoso's" });
  });

  it.each([
    ["Excel on a desktop", { context: { partitionKey: undefined } }],
    ["the playground", undefined],
  ])("has keys without a site in %s", (_where, office) => {
    const items = useItems();
    if (office !== undefined) surroundings.Office = office;
    createPorts(readPartition).storage().setItem("feed.owner", "sample");
    expect(items).toEqual({ "feed.owner": "sample" });
  });

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
