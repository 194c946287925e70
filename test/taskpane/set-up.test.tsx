/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */

import { createPublicKey } from "node:crypto";
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { FastifyInstance } from "fastify";
import fastify from "fastify";
import type { Settings as CompanionSettings } from "../../src/companion/configuration/settings";
import { ALL_SCOPES, createControls, createSandbox } from "../../src/sandbox";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { findMistake, sortMistakes } from "../../src/taskpane/settings/ProviderForm";
import { fillFolder, type OnFolder, openFolder, readSettings, WANTED } from "../companion/set-up-companion";
import { createStorage } from "../support/storage";
import { checkPage } from "./access";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { findHidden, openClipboard, untilProbed } from "./pane-sessions";
import CASES from "./provider-form.json";
import { enterCode, findCodeField, issueShownCode } from "./shown-code";

const { folder, start } = openFolder();
let session: Session;
let companion: OnFolder;
let provider: FastifyInstance | null;
let clipboard: string[];
let deny: () => void;
/** How often the form was sent. */
let sent: number;

beforeAll(findHidden);
beforeEach(() => {
  provider = null;
  sent = 0;
  ({ copied: clipboard, deny } = openClipboard());
});
afterEach(async () => {
  await untilProbed(session);
  cleanup();
  session.feed.queryCache.close();
  await provider?.close();
});

async function open({ environment = {} as CompanionSettings } = {}): Promise<void> {
  companion = await start({ environment });
  const ports = { ...createHurriedPorts(), storage: createStorage() };
  const send = ports.fetch;
  ports.fetch = (input, init) => {
    if (init?.method === "PUT" && String(input).endsWith("/companion/config")) sent++;
    return send(input, init);
  };
  session = createSession({ ports, companionUrl: `http://localhost:${companion.port}` });
  openPart(session, <Settings />);
  await session.connect();
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByText(name, { selector: "button" }));
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, { selector: "input" });
const write = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });
const fact = (term: string) => screen.getByText(term).nextElementSibling?.textContent;
const pair = async () => enterCode(await issueShownCode(companion.pairings, await findCodeField()));

/** Starts the guide from sample data, up to the key. */
async function openGuide(): Promise<void> {
  await open();
  await press("Connect to a provider…");
  await pair();
  await press("Create a key pair");
  await screen.findByRole("button", { name: "Copy a text to send" });
}

async function fill({ baseUrl, clientId, keyId }: Partial<typeof WANTED>): Promise<void> {
  if (baseUrl !== undefined) await write("Base URL", baseUrl);
  if (clientId !== undefined) await write("Client id", clientId);
  if (keyId !== undefined) await write("Key id", keyId);
}

/** The provider registers a sent public key, and answers with the form's values. */
async function register(publicKeyPem: string): Promise<typeof WANTED> {
  const app = fastify({ forceCloseConnections: true });
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const publicKey = createPublicKey(publicKeyPem).export({ format: "jwk" });
  const client = { clientId: "client-1", keys: [{ kid: "kid-1", publicKey }], scopes: ALL_SCOPES };
  const clients = [{ ...client, countries: "ALL" as const }];
  app.register(createSandbox({ baseUrl, clients, controls: createControls(), companies: 20 }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  provider = app;
  return { baseUrl: baseUrl(), clientId: "client-1", keyId: "kid-1" };
}

const current = () =>
  screen
    .getAllByRole("listitem")
    .filter((stage) => stage.getAttribute("aria-current") === "step")
    .map((stage) => within(stage).getByRole("heading").textContent);

describe("a person's own sample data", () => {
  it("lets a week pass, which a refresh shows, and takes it back", async () => {
    await open();
    await press("A week later");
    await screen.findByText(/The data are a week ahead\.$/);
    await press("A week later");
    await screen.findByText(/The data are 2 weeks ahead\.$/);
    await checkPage();
    await press("Back to today");
    await waitFor(() => expect(screen.queryByText(/ahead\.$/)).toBeNull());
    expect(screen.queryByRole("button", { name: "Back to today" })).toBeNull();
  });

  it("keeps the focus where it is when the way back to today goes", async () => {
    await open();
    const [on, cell] = [await screen.findByRole("button", { name: "A week later" }), document.createElement("input")];
    document.body.append(cell);
    for (const isOnButton of [true, false]) {
      fireEvent.click(on);
      const back = await screen.findByRole("button", { name: "Back to today" });
      (isOnButton ? back : cell).focus();
      fireEvent.click(back);
      await waitFor(() => expect(back.isConnected).toBe(false));
      await waitFor(() => expect(document.activeElement).toBe(isOnButton ? on : cell));
    }
    cell.remove();
  });
});

describe("the provider guide", () => {
  it("leads step by step from sample data to a connection: pair, create, send, enter, and pair again", async () => {
    await open();
    await press("Connect to a provider…");
    await field("Pairing code");
    expect(current()).toEqual(["Pair this pane with the companion"]);
    expect(screen.queryByRole("textbox", { name: "Base URL" })).toBeNull();
    await pair();
    await screen.findByRole("button", { name: "Create a key pair" });
    expect(current()).toEqual(["Create a key pair"]);
    await checkPage();
    await press("Create a key pair");
    await screen.findByRole("button", { name: "Copy a text to send" });
    expect(screen.getByText("Connected")).toBeTruthy();
    await press("Copy a text to send");
    await screen.findByText("Copied.");
    const [letter = ""] = clipboard;
    expect(letter).toContain("Algorithm: RS256 (RSA, 2048 bits)");
    const [key] = await (await session.setUp()).listKeys();
    expect(letter).toContain(`Thumbprint (RFC 7638, SHA-256): ${key?.thumbprint}`);
    const answer = await register(letter.match(/-----BEGIN[\s\S]+END PUBLIC KEY-----/)?.[0] ?? "");
    await fill(answer);
    await press("Save and connect");
    await screen.findByText(/^Not connected\. The companion does not know this pane yet/);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Pairing code" })));
    await pair();
    await screen.findByText("Connected");
    expect([fact("Provider"), fact("Client id"), fact("Key id")]).toEqual(Object.values(answer));
    expect(fact("Thumbprint of the public key")).toBe(key?.thumbprint);
  });

  it("can be left at any stage, and resumes with the entries", async () => {
    await openGuide();
    await fill({ baseUrl: "https://feed.example.com", clientId: "my-client" });
    await press("Back to the settings");
    expect(screen.queryByRole("textbox", { name: "Base URL" })).toBeNull();
    expect(document.activeElement?.textContent).toBe("Connect again");
    await press("Connect to a provider…");
    expect((await field("Base URL")).value).toBe("https://feed.example.com");
    expect((await field("Client id")).value).toBe("my-client");
    expect(await (await session.setUp()).listKeys()).toHaveLength(1);
  });

  it("finds an existing key, and offers to choose another", async () => {
    await openGuide();
    await press("Create another one");
    const choice = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Key" });
    const [newest, first] = await (await session.setUp()).listKeys();
    expect([...choice.options].map(({ value }) => value)).toEqual([newest?.thumbprint, first?.thumbprint]);
    fireEvent.change(choice, { target: { value: first?.thumbprint } });
    await press("Copy the key alone (PEM)");
    await screen.findByText("Copied.");
    expect(clipboard).toEqual([first?.publicKeyPem]);
    await fill(WANTED);
    await press("Save and connect");
    await waitFor(() => expect(readSettings(folder).FEED_PRIVATE_KEY_FILE).toContain(first?.thumbprint));
  });

  it("selects the text if the browser cannot copy", async () => {
    await openGuide();
    deny();
    await press("Copy the key alone (PEM)");
    const area = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: /Press Ctrl\+C/ });
    const [key] = await (await session.setUp()).listKeys();
    expect(area.value).toBe(key?.publicKeyPem);
    await waitFor(() => expect(document.activeElement).toBe(area));
    expect([area.selectionStart, area.selectionEnd]).toEqual([0, area.value.length]);
    await checkPage();
  });
});

describe("the form", () => {
  it("shows a mistake at its field, moves the focus there, and sends nothing", async () => {
    await openGuide();
    await fill({ ...WANTED, clientId: " " });
    const address = await field("Base URL");
    await write("Base URL", "http://feed.example.com");
    fireEvent.blur(address);
    const isAt = ({ id }: Element) => address.getAttribute("aria-describedby")?.includes(id);
    expect(isAt(screen.getByText("The address must begin with https://."))).toBe(true);
    await write("Base URL", WANTED.baseUrl);
    await press("Save and connect");
    await screen.findByText("Client id is missing: the provider gives it to you.");
    const focused = await field("Client id");
    await waitFor(() => expect(document.activeElement).toBe(focused));
    expect(screen.queryByText("The address must begin with https://.")).toBeNull();
    expect([session.state().configuration?.sample, sent]).toEqual([true, 0]);
    await write("Client id", WANTED.clientId);
    await press("Save and connect");
    await waitFor(() => expect(sent).toBe(1));
    await checkPage();
  });

  it.each([
    [
      "shows the companion's mistakes for any field",
      () => rmSync(folder.keys, { recursive: true }),
      /thumbprint is of no key that was made here\./i,
    ],
    ["reports that the companion does not answer", () => companion.app.close(), "FEED_SIGNER_UNREACHABLE"],
  ])("%s, and keeps the entries", async (_, spoil, sentence) => {
    await openGuide();
    await fill(WANTED);
    await spoil();
    await press("Save and connect");
    await screen.findByText(sentence);
    expect((await field("Client id")).value).toBe(WANTED.clientId);
  });

  it("requires a code again if the pairing has ended, and keeps the entries", async () => {
    await openGuide();
    await fill(WANTED);
    await companion.pairings.revoke();
    await press("Save and connect");
    await pair();
    expect((await field("Client id")).value).toBe(WANTED.clientId);
  });
});

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
    await checkPage();
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
    expect(clipboard[0]).toContain('as a second one for our client "client-1"');
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

describe("a field of the form", () => {
  it.each(CASES.fields as [Parameters<typeof findMistake>[0], string, string | null][])(
    "%s with %j: %s",
    (field, written, mistake) => {
      expect(findMistake(field, written)).toBe(mistake);
    },
  );

  it("can have 200 characters, and no more", () => {
    expect([200, 201].map((length) => findMistake("keyId", "k".repeat(length)))).toEqual([null, "unprintable"]);
  });

  it("gets the companion's sentences that start with its name; the others belong to none", () => {
    const other = "thumbprint is of no key that was made here.";
    expect(sortMistakes(["keyId is missing: x.", other, "baseUrl must begin with https://."])).toEqual({
      ofFields: { keyId: "keyId is missing: x.", baseUrl: "baseUrl must begin with https://." },
      others: [other],
    });
  });
});
