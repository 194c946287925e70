/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { FluentProvider, webLightTheme } from "@fluentui/react-components";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, render, screen } from "@testing-library/react/pure";
import axe from "axe-core";
import { createPorts, type Ports } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import { Names } from "../../src/taskpane/Names";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { ask } from "../support/feed";
import { createGate } from "./gate";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 20_000 }); // real pages of a real provider
  companion = await startCompanion({ companies: 100 });
});
beforeEach(() => companion.controls.reset());
afterEach(() => {
  cleanup();
  session.feed.watch.close();
});
afterAll(() => companion.close());

async function open({ language = "en-US", ports = createPorts() }: { language?: string; ports?: Ports } = {}) {
  session = createSession({ ports, companionUrl: companion.origin });
  await session.connect();
  render(
    <FluentProvider theme={webLightTheme}>
      <Names session={session} texts={toTexts(language)} />
    </FluentProvider>,
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const choose = (country: string) => fireEvent.change(screen.getByRole("textbox"), { target: { value: country } });

async function checkAccess(): Promise<void> {
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  // A part of the pane: headings above and landmarks around it stand elsewhere.
  const rules = {
    "color-contrast": { enabled: false },
    region: { enabled: false },
    "page-has-heading-one": { enabled: false },
  };
  const { violations } = await axe.run(page, { rules });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("the company names", () => {
  it("are built for the settings' country, with progress on the way and their number and age at the end", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    companion.controls.pageCap = 1000;
    await open({ ports: gate.ports });
    await screen.findByText("Not built yet.");
    await checkAccess();
    press("Build");
    await gate.reached;
    await screen.findByText(/^Reading names: 1,\d\d\d of 4,\d\d\d\.$/);
    expect(screen.getByRole("progressbar", { name: "Company names" }).getAttribute("aria-valuenow")).not.toBeNull();
    await checkAccess();
    gate.open();
    await screen.findByText(/^4,\d\d\d companies, read this minute\.$/);
    expect(screen.getByRole("button", { name: "Rebuild" })).toBeTruthy();
  });

  it("stop where they are cancelled, and say that they go on from there", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await open({ ports: gate.ports });
    press("Build");
    await gate.reached;
    press("Cancel");
    gate.open();
    await screen.findByText(
      /^Not built: 1,\d\d\d of 4,\d\d\d names have come; about \d+ requests in all\. Build goes on/,
    );
    press("Build");
    await screen.findByText(/companies, read this minute\.$/);
  });

  it("end with the reason when the connection is dropped on the way, and wait for the next one", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await open({ ports: gate.ports });
    press("Build");
    await gate.reached;
    session.disconnect();
    gate.open();
    await screen.findByText(/^FEED_NOT_CONNECTED/);
    expect(screen.getByRole("button", { name: "Build" }).getAttribute("aria-disabled")).toBe("true");
    await session.connect();
    press("Build");
    await screen.findByText(/companies, read this minute\.$/);
  });

  it("say what a formula would need that waits for them", async () => {
    companion.controls.pageCap = 25;
    await open();
    await ask(session.feed, session.feed.names.ask("sakura", "JPN", 1)).catch(() => {});
    await screen.findByText(/^Not built: 50 of 4,\d\d\d names have come; about \d+ requests in all\./);
    expect(screen.queryByText(/^FEED_INDEX_NOT_READY/)).toBeNull();
  });

  it("say why a build failed, and what to do", async () => {
    companion.controls.answers.listTaxonomyCompanies = { status: 404, times: Number.POSITIVE_INFINITY };
    await open();
    press("Build");
    await screen.findByText(/^FEED_NOT_FOUND/);
    expect(screen.getByText(/^Not built/)).toBeTruthy();
  });

  it("say which family is left out", async () => {
    companion.controls.answers.searchCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    await open();
    press("Build");
    await screen.findByText("Without private-market companies, which this client may not read.");
  });

  it("are asked for in Japanese, of a country that is a code", async () => {
    await open({ language: "ja-JP" });
    await screen.findByText("まだ作成されていません。");
    choose("日本");
    await screen.findByText("「JPN」のような 3 文字の国コード、または「ALL」を入力してください。");
    choose("sgp");
    press("作成");
    await screen.findByText(/^\d+ 社、.*に取得。$/);
    expect(session.feed.nameIndexes.state("SGP").status).toBe("built");
  });
});
