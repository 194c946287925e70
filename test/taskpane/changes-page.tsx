import { screen, within } from "@testing-library/react/pure";
import type { Query } from "../../src/feed/query-cache";
import type { Call } from "../../src/session/calls";
import { Changes } from "../../src/taskpane/Changes";
import { toTexts } from "../../src/taskpane/texts";
import { toCall } from "./call";
import { openPart } from "./open-pane";
import { session } from "./pane-sessions";

/** A query for a day's ranking. */
export const queryDay = (day: string): Query<unknown> =>
  session.feed.rankings.queryCompanies({ start: `2024-01-${day}T00:00:00`, end: `2024-01-${day}T23:59:59` }, 5);

/** Enters a formula as its cell does, until its query is answered or has failed. The first one connects. */
export async function enter(address: string | null, day: string, call: Partial<Call> = {}): Promise<void> {
  if (session.state().status === "idle") await session.connect();
  const query = queryDay(day);
  const entered = toCall({ given: { start: 45_292, end: null, top: 5 }, address, queries: [query], ...call });
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

export const list = (under: RegExp) => within(screen.getByRole("button", { name: under }).parentElement as HTMLElement);
