import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { cleanup, configure, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";

/** A companion for all tests of a file, and a new session for each test. */
export function openSessions(companies: number): { readonly session: Session; readonly companion: RunningCompanion } {
  const opened = {} as { session: Session; companion: RunningCompanion };
  beforeAll(async () => {
    configure({ asyncUtilTimeout: 10_000 }); // an exchange may exceed the default second on a busy machine
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

/** The pane's status messages, a line each. */
export const said = () =>
  screen
    .getAllByRole("status")
    .map(({ textContent }) => textContent)
    .join("\n");

/** Waits for a status message. */
export const receive = (text: string | RegExp) => waitFor(() => expect(said()).toMatch(text));
