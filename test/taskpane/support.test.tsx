/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { screen } from "@testing-library/react/pure";
import axe from "axe-core";
import { RequestError } from "../../src/client/errors";
import { PLAYGROUND_WORKBOOK } from "../../src/contract/workbook";
import { createSession, type Session } from "../../src/session/session";
import { toPolicies } from "../../src/session/settings";
import { readSnapshot } from "../../src/taskpane/activity/snapshot";
import { Settings } from "../../src/taskpane/Settings";
import { redactLikelySecrets, toSupportText } from "../../src/taskpane/settings/support-text";
import { toTexts } from "../../src/taskpane/texts";
import { awaitAnswer } from "../support/feed";
import { runSteps } from "../support/run-steps";
import { toCall } from "./call";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { companion, findHidden, openClipboard, press, serveSessions, session } from "./pane-sessions";
import CASES from "./support.json";

const HOST = { language: "en-US", hasNumberProperties: true };
const ID = "3f2b8c1e-77aa-4c0d-9e51-0a1b2c3d4e5f";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** Parts that would reveal each secret, wherever a line breaks. */
const TRACES = Object.values(CASES.secrets)
  .flatMap((secret) => secret.split(/[\s.&=]+/))
  .filter((part) => /[0-9]/.test(part) || /^(?:def|tok_\w+)$/.test(part));

beforeAll(findHidden);
serveSessions();
beforeEach(() => session.connect());
afterEach(() => {
  Reflect.deleteProperty(navigator, "clipboard");
  Reflect.deleteProperty(window, PLAYGROUND_WORKBOOK);
});

const read = (of: Session = session) => toSupportText(of, HOST, runSteps(readSnapshot(session)));
const open = (language = "en-US") => openPart(session, <Settings />, { texts: toTexts(language) });

/** Enters a formula that failed. */
const enterFailed = (error: unknown) => session.calls.add(toCall({ address: "Model!A1", error }));

describe("the text for support", () => {
  it("has environment, connection, settings, states, errors and requests", () => {
    enterFailed(
      new RequestError("FEED_SERVER_FAILED", `the provider failed for ${ID}`, { status: 500, traceId: TRACE }),
    );
    const text = read();
    for (const line of [
      /^FEED for Excel\n {2}time \d{4}-/,
      /\n {2}version \d+\.\d+\.\d+\n/,
      /\n {2}language en-US\n/,
      /\nConnection\n {2}status connected\n {2}provider sample data\n {2}client id sample-client\n {2}key id \S+\n {2}mode sign, transport proxy, pairing none\n/,
      /\n {2}country JPN, time zone Asia\/Tokyo, dates from 1900\n/,
      /\nFormulas\n {2}live 1\n {2}wrong 0\n {2}failed 1\n/,
      new RegExp(`\\n {2}RANKING: FEED_SERVER_FAILED the provider failed for ${ID} · status 500 · traceId ${TRACE}\\n`),
      /\nRequests, newest first\n {2}\S+ · createToken · 200 · answered · \d+ ms · \d+ B · request \S+\n/,
    ]) {
      expect(text).toMatch(line);
    }
  });

  it("marks an unexpected failure as internal, with its place in the code", () => {
    enterFailed(new TypeError("x is undefined"));
    expect(read()).toMatch(/RANKING: FEED_INTERNAL · TypeError: x is undefined · at .*support.*:\d+/);
  });

  it("counts formulas with the same failure as one error", () => {
    for (let row = 0; row < 3; row++) enterFailed(new RequestError("FEED_TIMED_OUT", "no answer"));
    expect(read()).toMatch(/RANKING: FEED_TIMED_OUT no answer \(3 formulas\)/);
  });

  it("counts the formulas that a request serves", async () => {
    const query = session.feed.taxonomies.queryTree();
    const enter = () => session.calls.add(toCall({ name: "TREE", queries: [query] }));
    enter();
    await awaitAnswer(session.feed, query);
    expect(read()).toMatch(/ B · 1 formula · request [0-9a-f]{8}-\w+\n/);
    enter();
    expect(read()).toMatch(/ B · 2 formulas · request /);
  });

  it("has the refresh policies of the workbook", () => {
    const refreshed = "refreshed financials open, rankings open, companies open, taxonomies open";
    expect(read()).toContain(`\n  numbers with properties off\n  ${refreshed}\n`);
    const hourly: Session = { ...session, settings: { ...session.settings, refresh: toPolicies("every-60") } };
    expect(read(hourly)).toMatch(/\n {2}refreshed financials every-60,/);
  });

  it("names the playground as host", () => {
    expect(read()).toMatch(/\n {2}host not known\n/);
    Object.assign(window, { [PLAYGROUND_WORKBOOK]: {} });
    expect(read()).toMatch(/\n {2}host playground\n/);
  });

  it("marks facts not known yet", () => {
    const idle = createSession({ ports: createHurriedPorts(), companionUrl: companion.origin });
    const text = toSupportText(idle, HOST, runSteps(readSnapshot(idle)));
    expect(text).toMatch(/version not known/);
    expect(text).toMatch(/Connection\n {2}status idle\n/);
    expect(text).toMatch(/Last errors\n {2}none\n/);
  });

  it.each(Object.entries(CASES.secrets))("contains no %s, in any field", (_, secret) => {
    const { configuration } = session.state();
    if (configuration === null) throw new Error("not connected");
    enterFailed(new RequestError("FEED_SERVER_FAILED", `it said ${secret}`, { traceId: secret, said: secret }));
    enterFailed(new Error(secret));
    const fields = {
      baseUrl: `https://${encodeURIComponent(secret)}/`,
      clientId: secret,
      keyId: secret,
      version: secret,
    };
    const odd: Session = {
      ...session,
      settings: {
        ...session.settings,
        timeZone: secret,
        country: secret,
        sheets: [{ name: secret, template: "ranking" }],
      },
      state: () => ({ status: "failed", configuration: { ...configuration, ...fields, sample: false }, error: secret }),
    };
    const text = toSupportText(odd, { ...HOST, language: secret }, runSteps(readSnapshot(session)));
    expect(TRACES.filter((part) => text.includes(part))).toEqual([]);
    expect(text).toContain("[removed]");
  });

  it.each(CASES.facts)("keeps a fact for support that is no secret: %s", (fact) => {
    expect(redactLikelySecrets(fact)).toBe(fact);
  });
});

describe("Copy for support", () => {
  it("shows the text first, then copies exactly that", async () => {
    const { copied } = openClipboard();
    open();
    press("Copy for support");
    const preview = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "What will be copied" });
    expect(copied).toEqual([]);
    expect(preview.value).toMatch(/^FEED for Excel\n/);
    press("Copy");
    await screen.findByText("Copied.");
    expect(copied).toEqual([preview.value]);
    const { violations } = await axe.run(preview, { rules: { "color-contrast": { enabled: false } } });
    expect(violations).toEqual([]);
  });

  it("selects the text if the browser cannot copy, and names the keys", async () => {
    open("ja-JP");
    press("サポート用にコピー");
    const preview = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "コピーされる内容" });
    press("コピー");
    await screen.findByText(/^ブラウザーがコピーを許可しませんでした。/);
    expect([preview.selectionStart, preview.selectionEnd]).toEqual([0, preview.value.length]);
    expect(document.activeElement).toBe(preview);
  });

  it("disappears when it is closed", () => {
    open();
    press("Copy for support");
    press("Close");
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});
