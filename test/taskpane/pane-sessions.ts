import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { Ports } from "../../src/client/ports";
import { openAccess } from "../../src/session/access";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createHurriedPorts } from "./gate";

export const ALWAYS = Number.POSITIVE_INFINITY;

/** The companion of a file's tests, and the current test's session. */
export let companion: RunningCompanion;
export let session: Session;

/** Gives each test of a file its own session on one companion. */
export function serveSessions(companies = 100): void {
  beforeAll(async () => {
    companion = await startCompanion({ companies });
  });
  beforeEach(() => {
    companion.controls.reset();
    begin();
  });
  afterEach(endSession);
  afterAll(() => companion.close());
}

/** Gives all tests of a file one connected session, with the names of Japan at hand. */
export function serveNames(): void {
  beforeAll(async () => {
    companion = await startCompanion({ companies: 100 });
    await begin().connect();
    await session.feed.nameIndexes.build("JPN");
  });
  afterEach(endSession);
  afterAll(() => companion.close());
}

/** Restarts the session with other ports. */
export function begin(ports: Ports = createHurriedPorts(), companionUrl = companion.origin): Session {
  session = createSession({ ports, companionUrl });
  return session;
}

/** Waits for the probes that the pane sends on connecting, which must not outlive their companion. */
export const untilProbed = (of: Session) =>
  waitFor(() => expect(Object.values(openAccess(of).state()).map(({ status }) => status)).not.toContain("asking"));

/** Closes the page and its session. */
export async function endSession(): Promise<void> {
  await untilProbed(session);
  cleanup();
  session.feed.queryCache.close();
  localStorage.clear();
  history.replaceState(null, "", location.origin + location.pathname);
}

/** Finds roles without the visibility of each element, which takes most of the time: for parts that hide nothing. */
export const findHidden = () => configure({ defaultHidden: true });

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

/** The pane's status messages, a line each. */
export const said = () =>
  screen
    .queryAllByRole("status")
    .map(({ textContent }) => textContent)
    .join("\n");

/** Waits for a status message. */
export const receive = (text: string | RegExp) => waitFor(() => expect(said()).toMatch(text));

/** Gives the page a clipboard; the returned list has what is copied, until the test denies copying. */
export function openClipboard(): { copied: string[]; deny(): void } {
  const copied: string[] = [];
  const clipboard = { writeText: async (text: string) => void copied.push(text) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  const deny = () => {
    clipboard.writeText = () => Promise.reject(new Error("denied"));
  };
  return { copied, deny };
}
