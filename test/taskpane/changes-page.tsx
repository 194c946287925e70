import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, within } from "@testing-library/react/pure";
import axe from "axe-core";
import { createPorts, type Ports } from "../../src/client/ports";
import type { Query } from "../../src/feed/query-cache";
import type { Call } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { Changes } from "../../src/taskpane/Changes";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openPart } from "./open-pane";

export const ALWAYS = Number.POSITIVE_INFINITY;

/** The companion of a file's tests, and the current test's session. */
export let companion: RunningCompanion;
export let session: Session;

/** Gives each test of a file its own session on one companion. */
export function serveSessions(): void {
  beforeAll(async () => {
    configure({ asyncUtilTimeout: 20_000 });
    companion = await startCompanion({ companies: 100 });
  });
  beforeEach(() => {
    companion.controls.reset();
    begin();
  });
  afterEach(() => {
    cleanup();
    session.feed.queryCache.close();
    history.replaceState(null, "", location.pathname);
  });
  afterAll(() => companion.close());
}

/** Restarts the session with other ports. */
export function begin(ports: Ports = createPorts()): void {
  session = createSession({ ports, companionUrl: companion.origin });
}

/** A query for a day's ranking. */
export const queryDay = (day: string): Query<unknown> =>
  session.feed.rankings.queryCompanies({ start: `2024-01-${day}T00:00:00`, end: `2024-01-${day}T23:59:59` }, 5);

/** Enters a formula as its cell does, until its query is answered or has failed. */
export async function enter(address: string | null, day: string, call: Partial<Call> = {}): Promise<void> {
  const query = queryDay(day);
  const given = { start: 45_292, end: null, top: 5 };
  const entered: Call = {
    name: "RANKING",
    given,
    address,
    queries: [query],
    error: null,
    shown: null,
    findOrigin: () => ({ error: null, places: [] }),
    reread() {},
    ...call,
  };
  session.calls.add(entered);
  await new Promise<void>((resolve) => {
    session.feed.queryCache.observe(query, (state) => {
      if (state.status === "pending") return;
      Object.assign(entered, state.status === "failed" ? { error: state.error } : { error: null, shown: [[1]] }, call);
      session.calls.notify();
      resolve();
    });
  });
}

export const show = (language = "en-US") => openPart(session, <Changes />, { texts: toTexts(language) });
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
export const list = (under: RegExp) => {
  const sheet = screen.getByRole("button", { name: under }).parentElement as HTMLElement;
  return within(sheet);
};

export async function checkAccess(): Promise<void> {
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  // A part of the pane: its heading and landmarks are elsewhere; contrast is checked where there are colours.
  const rules = {
    "color-contrast": { enabled: false },
    "page-has-heading-one": { enabled: false },
    "heading-order": { enabled: false },
    "label-content-name-mismatch": { enabled: true }, // a new user of the pane sees its texts
  };
  const { violations } = await axe.run(page, { rules });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
