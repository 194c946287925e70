import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { enterFormula, toCell } from "./open-whole-pane";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

/** The companion of a file's tests, and the session of the one that runs. */
export let companion: RunningCompanion;
export let session: Session;

/** Has each test of a file begin with a session of its own on one companion. */
export function serveSessions(): void {
  beforeAll(async () => {
    configure({ asyncUtilTimeout: 10_000 }); // an exchange may take a busy machine longer than the default second
    companion = await startCompanion({ companies: 100 });
  });
  beforeEach(() => {
    companion.controls.reset();
    begin();
  });
  afterEach(async () => {
    await waitForAccess(); // what the pane tries on connecting must not try again behind a companion that has gone
    cleanup();
    session.feed.queryCache.close();
    localStorage.clear();
  });
  afterAll(() => companion.close());
}

/** Begins a session anew, as on other ports. */
export function begin(ports: Ports = createPorts()): void {
  session = createSession({ ports, companionUrl: companion.origin });
}

const waitForAccess = () =>
  waitFor(() => expect(Object.values(session.access.state()).map(({ status }) => status)).not.toContain("asking"));

/** Connects, and waits for what tells what the client may read: those requests are not a refresh's. */
export async function connect(): Promise<void> {
  await session.connect();
  await waitForAccess();
}

export const ask = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);

/** Has so many of a ranking asked for by a cell, until they are there or have failed. */
export const enter = (address: string, top: number, more: Partial<Call> = {}) =>
  enterFormula(session, address, ask(top), { given: { start: "2024-01-01", end: "2024-01-31", top }, ...more });

/** A cell that asks for so many of the ranking. */
export const cellOf = (address: string, top: number): FeedCell => ({
  ...toCell(address),
  formula: `=FEED.RANKING("2024-01-01","2024-01-31",${top})`,
});

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

/** Without those by which the pane finds out what the client may read, which are of another range. */
export const listRankings = () =>
  companion.controls.requests.map(({ url }) => url).filter((url) => url.includes("2024-01-31"));

export const countRankings = () => listRankings().length;
