import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { cleanup, configure, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";

/** A companion for all tests of a file, and for each of them a session that nobody has used. */
export function openSessions(companies: number): { readonly session: Session; readonly companion: RunningCompanion } {
  const opened = {} as { session: Session; companion: RunningCompanion };
  beforeAll(async () => {
    configure({ asyncUtilTimeout: 10_000 }); // an exchange may take a busy machine longer than the default second
    opened.companion = await startCompanion({ companies });
  });
  beforeEach(() => {
    opened.companion.controls.reset();
    opened.session = createSession({ ports: createPorts(), companionUrl: opened.companion.origin });
  });
  afterEach(() => {
    cleanup();
    opened.session.feed.queryCache.close();
    localStorage.clear();
  });
  afterAll(() => opened.companion.close());
  return opened;
}

/** What the pane says of what goes on, a line each. */
export const said = () =>
  screen
    .getAllByRole("status")
    .map(({ textContent }) => textContent)
    .join("\n");

/** Waits until the pane says so. */
export const receive = (text: string | RegExp) => waitFor(() => expect(said()).toMatch(text));
