import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { enterFormula, toCell } from "./open-whole-pane";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

/** The companion of a file's tests, and the current test's session. */
export let companion: RunningCompanion;
export let session: Session;

/** Gives each test of a file its own session on one companion. */
export function serveSessions(): void {
  beforeAll(async () => {
    configure({ asyncUtilTimeout: 10_000 }); // an exchange may exceed the default second on a busy machine
    companion = await startCompanion({ companies: 100 });
  });
  beforeEach(() => {
    companion.controls.reset();
    begin();
  });
  afterEach(async () => {
    await waitForAccess(); // the pane's probes on connecting must not be retried behind a closed companion
    cleanup();
    session.feed.queryCache.close();
    localStorage.clear();
  });
  afterAll(() => companion.close());
}

/** Restarts the session with other ports. */
export function begin(ports: Ports = createPorts()): void {
  session = createSession({ ports, companionUrl: companion.origin });
}

const waitForAccess = () =>
  waitFor(() => expect(Object.values(session.access.state()).map(({ status }) => status)).not.toContain("asking"));

export const connect = (): Promise<void> => session.connect();

export const queryTop = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);

/** Subscribes a cell to a number of ranking rows, until they are here or have failed. */
export const enter = (address: string, top: number, more: Partial<Call> = {}) =>
  enterFormula(session, address, queryTop(top), { given: { start: "2024-01-01", end: "2024-01-31", top }, ...more });

/** A cell with a number of ranking rows. */
export const cellOf = (address: string, top: number): FeedCell => ({
  ...toCell(address),
  formula: `=FEED.RANKING("2024-01-01","2024-01-31",${top})`,
});

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

/** Without other requests, which have another range. */
export const listRankings = () =>
  companion.controls.requests.map(({ url }) => url).filter((url) => url.includes("2024-01-31"));

export const countRankings = () => listRankings().length;
