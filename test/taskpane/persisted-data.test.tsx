/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { PersistedAnswers } from "../../src/taskpane/settings/PersistedAnswers";
import { readPersisted, untilPersisted } from "../feed/persisted-cache-storage";
import { awaitAnswer } from "../support/feed";
import { checkPage } from "./access";
import { openPart } from "./open-pane";
import { begin, press, serveSessions, session } from "./pane-sessions";
import CASES from "./persisted-data.json";

beforeEach(() => void Object.assign(globalThis, { indexedDB: new IDBFactory() }));
serveSessions(50);
afterEach(() => void jest.restoreAllMocks());

/** Unfolds it, which measures. */
function unfold(title: string): void {
  const details = screen.getByText(title).closest("details") as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event("toggle"));
}

/** Makes the browser open no database. */
function refuseToOpen(name: string): void {
  jest.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("", name);
  });
}

/** Makes the browser store no answer. */
function refuseAnswers(): void {
  jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
}

async function open(): Promise<void> {
  await awaitAnswer(session.feed, session.feed.taxonomies.queryTree());
  await untilPersisted(1);
  openPart(session, <PersistedAnswers />);
  unfold("Kept on this computer");
}

describe("the data stored on this computer", () => {
  it("is measured when shown, and deleted once confirmed", async () => {
    await open();
    await screen.findByText(/About 0(\.\d)? MB for all workbooks of this computer/);
    await checkPage("page-has-heading-one");
    press("Forget…");
    expect(document.activeElement?.textContent).toBe("Keep it");
    screen.getByRole("group", { name: "Forget what is kept?" }); // said with the focused button
    await checkPage("page-has-heading-one");
    press("Keep it");
    expect(document.activeElement?.textContent).toBe("Forget…");
    expect((await readPersisted()).answers.size).toBe(1);
    press("Forget…");
    press("Forget");
    expect(screen.getByRole("button", { name: "Forget" }).getAttribute("aria-disabled")).toBe("true");
    await screen.findByText("Forgotten. What is asked for from now on is kept again.");
    expect((await readPersisted()).answers.size).toBe(0);
    expect(await session.feed.persistedData.size()).toBe(0);
    await screen.findByText(/About 0 MB/);
  });

  it("includes the names, which can be deleted while this page goes on using them", async () => {
    await open();
    const before = await session.feed.persistedData.size();
    await session.feed.nameIndexes.build("SGP");
    expect(await session.feed.persistedData.size()).toBeGreaterThan(before + 1_000);
    press("Forget…");
    press("Forget");
    await screen.findByText(/^Forgotten\./);
    await waitFor(async () => expect(await session.feed.persistedData.size()).toBe(0));
    expect(session.feed.nameIndexes.state("SGP").status).toBe("built");
  });

  it.each(CASES as [string, string, string, boolean][])(
    "is reported as none if %s, while values still come",
    async (_, fault, sentence, isForgettable) => {
      if (fault === "none") Object.assign(globalThis, { indexedDB: undefined });
      else if (fault === "full") refuseAnswers();
      else refuseToOpen(fault);
      begin();
      openPart(session, <PersistedAnswers />);
      expect(await awaitAnswer(session.feed, session.feed.taxonomies.queryTree())).not.toHaveLength(0);
      const said = await screen.findByText(new RegExp(sentence));
      expect(said.closest("details")?.open).toBe(true);
      expect(said.textContent).toMatch(/^This page keeps nothing [^M]*$/); // without a size beside it
      expect(screen.queryByRole("button", { name: "Forget…" }) !== null).toBe(isForgettable);
      await checkPage("page-has-heading-one");
    },
  );

  it("is stored again after a full storage was cleared", async () => {
    refuseAnswers();
    openPart(session, <PersistedAnswers />);
    await awaitAnswer(session.feed, session.feed.taxonomies.queryTree());
    await screen.findByText(/storage is full.* press Forget\.$/);
    jest.restoreAllMocks();
    press("Forget…");
    press("Forget");
    await screen.findByText(/^Forgotten\./);
    expect(screen.queryByText(/storage is full/)).toBeNull();
    await awaitAnswer(session.feed, session.feed.companies.querySearch({ country: "JPN" }, 5));
    await untilPersisted(1);
  });

  it("is reported as old data if nothing more can be stored", async () => {
    await session.feed.nameIndexes.build("SGP");
    refuseAnswers();
    openPart(session, <PersistedAnswers />);
    await awaitAnswer(session.feed, session.feed.taxonomies.queryTree());
    await screen.findByText(/storage is full/);
    unfold("Kept on this computer");
    await screen.findByText(/storage is full.* press Forget\. Kept from before: about \d(\.\d)? MB\.$/);
  });
});
