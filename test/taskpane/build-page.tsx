import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { Build } from "../../src/taskpane/Build";
import type { Handoffs } from "../../src/taskpane/pane";
import { toTexts } from "../../src/taskpane/texts";
import { installCustomFunctions } from "../office/custom-functions";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { isolatePage } from "../support/formula-cells";
import { checkPage } from "./access";
import { createFakeWorkbook } from "./fake-workbook";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";

interface Options {
  initialTask?: Handoffs["build"];
  language?: string;
  ports?: Ports;
  workbook?: ReturnType<typeof createFakeWorkbook>;
}

/** The companion of a file's tests, and the current test's session. */
export let companion: RunningCompanion;
export let session: Session;

/** Gives all tests of a file one companion, and makes this page one of its own. */
export function serveBuild(): void {
  beforeAll(async () => {
    configure({ defaultHidden: true }); // styles are tested in a browser
    installCustomFunctions();
    companion = await startCompanion({ companies: 60 });
    // functions.json is beside the page, which has no address in a test.
    document.head.append(Object.assign(document.createElement("base"), { href: `${companion.origin}/` }));
  });
  beforeEach(() => companion.controls.reset());
  afterEach(() => {
    cleanup();
    session.feed.queryCache.close();
  });
  afterAll(() => companion.close());
}

/** Opens the part as the pane does, in a page that also runs the formulas. */
export async function openBuild(options: Options = {}) {
  const { initialTask, language = "en-US", ports = createHurriedPorts(), workbook = createFakeWorkbook() } = options;
  session = createSession({ ports, companionUrl: companion.origin });
  await isolatePage(() => {
    jest.doMock("../../src/session/current", () => ({ session }));
    require("../../src/functions");
    return session;
  });
  await session.connect();
  const opened = openPart(
    session,
    // Focused as the pane does.
    <div role="tabpanel" aria-label="Build">
      <Build handoff={initialTask} />
    </div>,
    { texts: toTexts(language), workbook },
  );
  await screen.findByRole("button", { name: /Sheet1!A1/ }); // it has read its suggestions and the selection
  return { ...opened, workbook };
}

/** The first private company with financials. */
export async function findCompanyId(): Promise<string> {
  const { rows } = await new Promise<{ rows: readonly Record<string, unknown>[] }>((resolve) => {
    const query = session.feed.companies.querySearch({ country: "JPN", identifier: undefined, sort: undefined }, 3);
    session.feed.queryCache.observe(query, (state) => state.status === "answered" && resolve(state.answer.value));
  });
  return String(rows[0]?.id);
}

export const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
export const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
export const choose = (formula: string) => write("Data", formula);
export const isDisabled = (name: string) =>
  screen.getByRole("button", { name }).getAttribute("aria-disabled") === "true";

/** A clock on which typing pauses last until the test ends them. */
export function createPauses() {
  const ports = createPorts();
  const held = new Set<() => void>();
  const after: Ports["after"] = (delayMs, callback) => {
    if (delayMs < 100 || delayMs > 1_000) return ports.after(delayMs, callback);
    held.add(callback);
    return () => void held.delete(callback);
  };
  return {
    ports: { ...ports, after },
    end() {
      for (const callback of held) callback();
    },
  };
}

/** The first rows of the complete preview. */
export async function readPreview(): Promise<string[][]> {
  const table = within(await screen.findByRole("table"));
  await waitFor(() => expect(screen.queryByRole("progressbar", { name: "Preview" })).toBeNull());
  return table.getAllByRole("row").map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
}

/** The formula's text. */
export const readText = () => document.querySelector("section > code")?.textContent;

/** A part of the pane: headings and landmarks are elsewhere. */
export const checkAccess = () => checkPage("region", "page-has-heading-one");
