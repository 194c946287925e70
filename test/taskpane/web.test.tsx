/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { openPart } from "./open-pane";
import { findHidden } from "./pane-sessions";

const surroundings = globalThis as { Office?: unknown };
const PlatformType = { OfficeOnline: "OfficeOnline", PC: "PC" };
const LANGUAGES = ["en-US", "ja-JP"];

let provider: RunningProvider;
let companion: RunningCompanion;
let session: Session;
let isUp: boolean;

beforeAll(findHidden);
beforeAll(async () => {
  provider = await startSandbox({ companies: 20 });
  companion = await startCompanion({ provider });
});
beforeEach(() => {
  isUp = true;
});
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
  delete surroundings.Office;
});
afterAll(async () => {
  await companion.close();
  await provider.close();
});

function open(platform: string, language = "en-US"): void {
  surroundings.Office = { PlatformType, context: { platform, partitionKey: "contoso|" } };
  const ports = createPorts();
  const send: typeof fetch = (...given) => (isUp ? ports.fetch(...given) : Promise.reject(new TypeError("failed")));
  session = createSession({
    ports: { ...ports, storage: createStorage(), fetch: send },
    companionUrl: companion.origin,
  });
  openPart(session, <Settings />, { texts: toTexts(language) });
}

/** Connects, and waits until the pane asks for a code or shows why it cannot. */
async function connect(): Promise<void> {
  void session.connect();
  await (isUp ? screen.findByRole("textbox") : screen.findByText(/FEED_SIGNER_UNREACHABLE/));
}

describe("Excel on the web", () => {
  it.each(LANGUAGES)("is told in the pairing step that each site is paired by itself: %s", async (language) => {
    open("OfficeOnline", language);
    await connect();
    expect(screen.getByText(toTexts(language).ofSettings.eachSite)).toBeTruthy();
  });

  it.each(LANGUAGES)("is told to allow the local network where the companion is not reached: %s", async (language) => {
    isUp = false;
    open("OfficeOnline", language);
    await connect();
    expect(screen.getByText(toTexts(language).ofSettings.localNetwork)).toBeTruthy();
  });

  it("takes a pairing of another window of its site, and none of another site", async () => {
    open("OfficeOnline");
    await connect();
    const notify = (key: string) => fireEvent(window, new StorageEvent("storage", { key, newValue: "bearer" }));
    const readStatus = () => session.state().status;
    notify(PAIRING_STORAGE_KEY);
    notify(`fabrikam|${PAIRING_STORAGE_KEY}`);
    expect(readStatus()).toBe("failed");
    notify(`contoso|${PAIRING_STORAGE_KEY}`);
    expect(readStatus()).toBe("connecting");
    await waitFor(() => expect(readStatus()).toBe("failed"));
  });
});

describe("Excel on a desktop", () => {
  it.each([true, false])("is told neither (the companion runs: %s)", async (runs) => {
    isUp = runs;
    open("PC");
    await connect();
    const { eachSite, localNetwork } = toTexts("en-US").ofSettings;
    expect([screen.queryByText(eachSite), screen.queryByText(localNetwork)]).toEqual([null, null]);
  });
});
