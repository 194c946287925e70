/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { PROBE_KINDS } from "../../src/session/access-state";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { type RunningProvider, startSandbox } from "../support/provider";
import { checkPage } from "./access";
import { openPart } from "./open-pane";
import { findHidden } from "./pane-sessions";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let provider: RunningProvider;
let companion: RunningCompanion;
let session: Session;

beforeAll(findHidden);
afterEach(async () => {
  if (session.state().status === "connected") await waitFor(() => expect(isTried()).toBe(true));
  cleanup();
  session.feed.queryCache.close();
  localStorage.clear();
  await companion.close();
  await provider.close();
});

/** Whether the pane has probed the client's access, as it does automatically. */
const isTried = () =>
  PROBE_KINDS.every((family) => !["unknown", "asking"].includes(session.access.state()[family].status));

/** Shows the pane at a companion whose clock is ahead of the provider's, once it connected or failed. */
async function open(aheadMs: number, mode: "sign" | "relay", language = "en-US"): Promise<void> {
  provider = await startSandbox({ companies: 20, nowMs: () => Date.now() - aheadMs });
  companion = await startCompanion({ provider, mode });
  session = createSession({ ports: createPorts(), companionUrl: companion.origin });
  await session.pair(await companion.pairings.issueSent());
  openPart(session, <Settings />, { texts: toTexts(language) });
}

describe("the pane with a wrong companion clock", () => {
  it.each(["sign", "relay"] as const)("is connected and says so, in the mode %s", async (mode) => {
    await open(7 * MINUTE_MS, mode);
    const status = await screen.findByText("Connected");
    expect(status.closest("[role=status]")?.textContent).toBe(
      "ConnectedThe clock of the companion's computer is 7 minutes ahead. Set it by network time. Until then, requests for a token are signed by the provider's time.",
    );
    await checkPage("page-has-heading-one");
  });

  it("says so in Japanese", async () => {
    await open(-7 * MINUTE_MS, "sign", "ja-JP");
    await screen.findByText(/^コンパニオンのコンピューターの時計が 7 分遅れています。時計を/);
  });

  it("reports that a clock days off is ignored", async () => {
    await open(3 * DAY_MS, "sign");
    await screen.findByText(
      "The clock of the companion's computer is 3 days ahead. That is too far to sign by the provider's time: set it by network time, then connect again.",
    );
  });

  it("shows nothing with a correct clock", async () => {
    await open(0, "sign");
    await screen.findByText("Connected");
    expect(screen.queryByText(/clock/)).toBeNull();
  });
});
