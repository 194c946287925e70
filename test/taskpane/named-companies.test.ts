import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createResolutions, type Resolutions } from "../../src/feed/resolutions";
import type { Session } from "../../src/session/session";
import { persistResolutions, readPersistedResolutions } from "../../src/taskpane/named-companies";
import { type Clock, createClock } from "../support/clock";

const SAKURA = { name: "Sakura", country: "JPN", companyId: "a", companyName: "Sakura Foods" };
const HILL = { name: "hill", country: "ALL", companyId: "b", companyName: "Hill" };

let file: Map<string, unknown>;
let saves: number;
let clock: Clock;
let resolutions: Resolutions;

/** A workbook whose settings reach its file by saveAsync. */
beforeEach(() => {
  file = new Map();
  saves = 0;
  clock = createClock();
  resolutions = createResolutions();
  const settings = {
    get: (name: string) => file.get(name) ?? null,
    set: (name: string, value: unknown) => void file.set(name, JSON.parse(JSON.stringify(value))),
    saveAsync: () => void saves++,
  };
  Object.assign(globalThis, { Office: { context: { document: { settings } } } });
  resolutions.onChange(persistResolutions({ feed: { resolutions }, ports: clock.ports } as unknown as Session));
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, "Office");
});

describe("what names mean in a workbook", () => {
  it("is stored once for all names of a second, and read again", async () => {
    resolutions.record(SAKURA);
    resolutions.record(HILL);
    expect(readPersistedResolutions()).toEqual([]);
    await clock.advance(1_000);
    expect(readPersistedResolutions()).toEqual([SAKURA, HILL]);
    expect(saves).toBe(1);
  });

  it("ignores entries that another version or program has written", () => {
    file.set("feed-companies", [SAKURA, { name: "x" }, null, 7]);
    expect(readPersistedResolutions()).toEqual([SAKURA]);
    file.set("feed-companies", "text");
    expect(readPersistedResolutions()).toEqual([]);
  });
});
