import { createPublicKey } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "@jest/globals";
import { cleanup, configure, fireEvent, screen } from "@testing-library/react/pure";
import fastify, { type FastifyInstance } from "fastify";
import { createPorts } from "../../src/client/ports";
import type { Settings as CompanionSettings } from "../../src/companion/configuration/settings";
import { ALL_SCOPES, createControls, createSandbox } from "../../src/sandbox";
import { createSession, type Session } from "../../src/session/session";
import { Settings } from "../../src/taskpane/Settings";
import { toTexts } from "../../src/taskpane/texts";
import { type OnFolder, openFolder, type WANTED } from "../companion/set-up-companion";
import { createStorage } from "../support/storage";
import { openPart } from "./open-pane";
import { issueShownCode } from "./shown-code";

export const { folder, start } = openFolder();
export let session: Session;
export let companion: OnFolder;
let provider: FastifyInstance | null;
/** The copied text; null if the browser cannot copy. */
export let clipboard: string[] | null;

beforeEach(() => {
  // Every element here is visible; checking that for each role would take most of the time.
  configure({ defaultHidden: true });
  provider = null;
  clipboard = [];
  const writeText = async (text: string) => {
    if (clipboard === null) throw new DOMException("denied", "NotAllowedError");
    clipboard.push(text);
  };
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
});
afterEach(async () => {
  cleanup();
  session.feed.queryCache.close();
  await provider?.close();
});

interface Opening {
  language?: string;
  environment?: CompanionSettings;
}

export async function open({ language = "en-US", environment = {} }: Opening = {}): Promise<void> {
  companion = await start({ environment });
  const ports = { ...createPorts(), storage: createStorage() };
  session = createSession({ ports, companionUrl: `http://localhost:${companion.port}` });
  openPart(session, <Settings />, { texts: toTexts(language) });
  await session.connect();
}

export const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByText(name, { selector: "button" }));
export const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, { selector: "input" });
export const write = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });
export const fact = (term: string) => screen.getByText(term).nextElementSibling?.textContent;
export async function pair(label = "Pairing code"): Promise<void> {
  const input = await field(label);
  fireEvent.change(input, { target: { value: await issueShownCode(companion.pairings, input) } });
  fireEvent.submit(input);
}

/** Starts the guide from sample data, up to the key. */
export async function openGuide(): Promise<void> {
  await open();
  await press("Connect to a provider…");
  await pair();
  await press("Create a key pair");
  await screen.findByRole("button", { name: "Copy a text to send" });
}

export async function fill({ baseUrl, clientId, keyId }: Partial<typeof WANTED>): Promise<void> {
  if (baseUrl !== undefined) await write("Base URL", baseUrl);
  if (clientId !== undefined) await write("Client id", clientId);
  if (keyId !== undefined) await write("Key id", keyId);
}

/** The provider registers a sent public key, and answers with the form's values. */
export async function register(publicKeyPem: string): Promise<typeof WANTED> {
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

/** Disables copying in the browser. */
export function denyCopying(): void {
  clipboard = null;
}
