/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { screen, waitFor } from "@testing-library/react/pure";
import { fillFolder, readSettings, WANTED } from "../companion/set-up-companion";
import { checkAccess, clipboard, fact, field, fill, folder, open, pair, press, session } from "./set-up-page";

async function openPaired(): Promise<void> {
  await fillFolder(folder);
  await open();
  await pair();
  await waitFor(() => expect(session.state().configuration?.clientId).toBe(WANTED.clientId));
}

describe("a provider that is set up", () => {
  it("is changed in the same form, filled in, and keeps its key", async () => {
    await openPaired();
    const thumbprint = session.state().configuration?.thumbprint;
    await press("Change…");
    expect([(await field("Base URL")).value, (await field("Client id")).value, (await field("Key id")).value]).toEqual(
      Object.values(WANTED),
    );
    await checkAccess();
    await (await session.setUp()).createKey(); // which would otherwise sign next
    await fill({ keyId: "kid-2" });
    await press("Save and connect");
    await waitFor(() => expect(fact("Key id")).toBe("kid-2"));
    expect(fact("Thumbprint of the public key")).toBe(thumbprint);
  });

  it("gets a second key, which makes the current one the previous", async () => {
    await openPaired();
    await press("Second key…");
    await press("Create a key pair");
    await press("Copy a text to send");
    await screen.findByText("Copied.");
    expect(clipboard?.[0]).toContain('as a second one for our client "client-1"');
    expect(screen.queryByRole("textbox", { name: "Base URL" })).toBeNull();
    await fill({ keyId: WANTED.keyId });
    await press("Save and connect");
    await screen.findByText(/^That is the present key's id/);
    await fill({ keyId: "kid-2" });
    await press("Save and connect");
    await waitFor(() => expect(fact("Key id")).toBe("kid-2"));
    expect(fact("Previous key id")).toBe(WANTED.keyId);
  });

  it("is replaced by sample data once that is confirmed", async () => {
    await openPaired();
    await press("Use sample data…");
    expect(screen.getByText(/The companion forgets base URL/)).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Keep the provider");
    await press("Keep the provider");
    expect(readSettings(folder).FEED_CLIENT_ID).toBe(WANTED.clientId);
    await press("Use sample data…");
    await press("Use sample data");
    await screen.findByText("Connected");
    expect(fact("Client id")).toBe("sample-client");
    await screen.findByRole("button", { name: "Connect to a provider…" });
  });

  it("shows the environment's settings read-only, and asks for the rest", async () => {
    await fillFolder(folder);
    await open({ environment: { FEED_BASE_URL: WANTED.baseUrl, FEED_CLIENT_ID: "client-0" } });
    await pair();
    await press("Change…");
    expect(await screen.findByText("Client id: client-0 (given where the companion is started)")).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Client id" })).toBeNull();
    expect((await field("Key id")).value).toBe("kid-1");
  });

  it("has no form if an administrator set it all, but names who can change it", async () => {
    await fillFolder(folder);
    const { FEED_PRIVATE_KEY_FILE = "" } = readSettings(folder);
    const given = { FEED_BASE_URL: WANTED.baseUrl, FEED_CLIENT_ID: "client-0", FEED_KEY_ID: "kid-0" };
    await open({ environment: { ...given, FEED_PRIVATE_KEY_FILE } });
    await pair();
    await screen.findByText(/^Set where the companion is started\./);
    for (const name of ["Change…", "Second key…", "Use sample data…"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
  });
});
