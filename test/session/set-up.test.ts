import { afterEach, describe, expect, it } from "@jest/globals";
import { needsPairing } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { createSession, type Session } from "../../src/session/session";
import { fillFolder, openFolder, WANTED } from "../companion/set-up-companion";
import { createStorage } from "../support/storage";

const { folder, start } = openFolder();
let session: Session;
afterEach(() => session.feed.queryCache.close());

/** A page of the companion's own origin, with its own storage. */
async function openSession({ isPaired = true } = {}) {
  const running = await start({ environment: { LOG_LEVEL: "silent" } });
  const companionUrl = `http://localhost:${running.port}`;
  const storage = createStorage();
  session = createSession({ ports: { ...createPorts(), storage }, companionUrl });
  const pairAnew = async () => storage().setItem(PAIRING_STORAGE_KEY, (await running.pair())["feed-pairing"] as string);
  if (isPaired) await pairAnew();
  await session.connect();
  return { ...running, pairAnew };
}

describe("the set-up from the pane", () => {
  it("creates a key and applies a provider, then requires a new pairing code", async () => {
    await openSession();
    const made = await (await session.setUp()).createKey();
    expect(made).toMatchObject({ keyId: null, bits: 2048, publicKeyPem: expect.stringContaining("PUBLIC KEY") });
    expect(await (await session.setUp()).listKeys()).toMatchObject([{ thumbprint: made.thumbprint, use: "unused" }]);
    await (await session.setUp()).change(WANTED);
    expect([session.state().status, session.pairing()]).toEqual(["failed", "wanted"]);
  });

  it("needs a code for every change; sample data stays available", async () => {
    await openSession({ isPaired: false });
    expect(session.state().configuration?.settable).toContain("clientId");
    const error = await (await session.setUp()).createKey().catch((reason) => reason);
    expect([needsPairing(error), session.pairing(), session.state().status]).toEqual([true, "wanted", "connected"]);
  });

  it("reports all mistakes of a form at once and keeps the settings in force", async () => {
    await openSession();
    const wrong = { baseUrl: "ftp://x", clientId: "", keyId: "kid 1" };
    const error = await (await session.setUp()).change(wrong).catch((reason) => reason);
    expect(error).toMatchObject({ code: "FEED_REQUEST_INVALID" });
    expect(error.facts.mistakes.length).toBeGreaterThan(1);
    expect(error.facts.mistakes.join()).toContain("baseUrl");
    expect(session.state().configuration?.sample).toBe(true);
  });

  it("moves sample data on by a week and back, which needs no code", async () => {
    await openSession({ isPaired: false });
    const readWeeks = () => session.state().configuration?.weeks;
    const { moveSample } = await session.setUp();
    for (const weeks of [1, 2]) {
      await moveSample("on");
      expect([session.state().status, readWeeks()]).toEqual(["connected", weeks]);
    }
    await moveSample("back");
    expect(readWeeks()).toBe(0);
  });

  it("returns to sample data, which needs no code", async () => {
    await fillFolder(folder);
    const { pairAnew } = await openSession();
    await pairAnew();
    await (await session.setUp()).returnToSample();
    expect(session.state()).toMatchObject({ status: "connected", configuration: { sample: true } });
  });
});
