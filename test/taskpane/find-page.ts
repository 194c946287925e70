import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createElement } from "react";
import type { Ports } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { FIND_SCRIPTS, Find } from "../../src/taskpane/Find";
import type { Handoffs } from "../../src/taskpane/pane";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkPage } from "./access";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { findHidden } from "./pane-sessions";

export interface FindOptions {
  language?: string;
  ports?: Ports;
  initialTask?: Handoffs["find"];
  isConnected?: boolean;
}

/**
 * The Find part on a real companion.
 *
 * @param keepsSession Whether the pages of all tests have one session, and so one index of names; default each its own.
 */
export function createFindPage({ keepsSession = false } = {}) {
  let companion: RunningCompanion;
  let session: Session | null = null;
  let indexed: Session | null = null;
  const begin = (ports: Ports) => {
    session = createSession({ ports, companionUrl: companion.origin });
    return session;
  };
  /** Creates a connected session for a test's own components. */
  const connect = async (ports = createHurriedPorts()) => {
    const begun = begin(ports);
    await begun.connect();
    return begun;
  };
  const show = (on: Session, { language = "en-US", initialTask }: FindOptions) => {
    session = on;
    const host = { language, hasNumberProperties: true };
    return {
      session,
      ...openPart(on, createElement(Find, { handoff: initialTask }), { texts: toTexts(language), host }),
    };
  };
  return {
    companion: () => companion,
    async start() {
      Element.prototype.scrollIntoView = () => {}; // jsdom has no layout
      document.hasFocus = () => true; // jsdom returns false once the focused element is gone
      companion = await startCompanion({ companies: 100 });
      await Promise.all(FIND_SCRIPTS.map(({ load }) => load()));
    },
    /** Between two tests: closes the page, and resets the provider. */
    leave() {
      cleanup();
      companion.controls.reset();
      for (const named of session?.feed.resolutions.list() ?? []) session?.feed.resolutions.forget(named);
      if (keepsSession) return session?.feed.queryCache.reset();
      session?.feed.queryCache.close();
      if (session === indexed) session?.change({ country: "JPN", companyNames: "provider" });
      else session?.feed.nameIndexes.reset();
      session = null;
    },
    close: () => companion.close(),
    connect,
    /** Connects a session and opens the part. */
    async open(options: FindOptions = {}) {
      const { ports = createHurriedPorts(), isConnected = true } = options;
      const begun = (keepsSession && session) || begin(ports);
      if (isConnected) await begun.connect();
      return show(begun, options);
    },
    /** Opens the part with the names of Japan at hand, which all such tests of a file share. */
    async openIndexed(options: Pick<FindOptions, "language" | "initialTask"> = {}) {
      if (indexed === null) {
        indexed = await connect();
        await indexed.feed.nameIndexes.build("JPN");
      }
      return show(indexed, options);
    },
  };
}

/** The same for all tests of a file. */
export function serveFind() {
  const page = createFindPage();
  beforeAll(findHidden);
  beforeAll(page.start);
  afterEach(page.leave);
  afterAll(page.close);
  return page;
}

export const field = (name = "Company") => screen.getByRole<HTMLInputElement>("combobox", { name });
export const write = (value: string, name?: string) => fireEvent.change(field(name), { target: { value } });
export const press = (key: string, name?: string) => fireEvent.keyDown(field(name), { key });
export const click = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
/** By role alone, since accessible names of many lines are slow in jsdom. */
export const lines = () => [...document.querySelectorAll("[role=listbox]:not([popover]) > [role=option]")];
export const options = () => lines().map((line) => line.textContent ?? "");
export const isOff = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-disabled") === "true";

/** Searches a text, and gives the result lines once the first is the expected one. */
export async function find(text: string, first: RegExp): Promise<string[]> {
  write(text);
  await waitFor(() => expect(options()[0]).toMatch(first));
  return options();
}

/** Finds a company and opens its card. */
export async function openCompany(text: string, name: string): Promise<void> {
  await find(text, new RegExp(name));
  press("Enter");
  await screen.findByRole("heading", { level: 2, name });
}

/** A part of the pane: headings and landmarks are elsewhere. */
export const checkAccess = () => checkPage("region", "page-has-heading-one", "heading-order");
