import { afterEach, describe, expect, it } from "@jest/globals";
import { Message, msg, Sentence, setCatalogue, translate } from "../../src/client/messages";
import { adoptJapanese } from "../../src/session/japanese";
import { CLIENT } from "../../src/session/japanese/client";
import { COMPANION, translateSentence } from "../../src/session/japanese/companion";
import { FEED } from "../../src/session/japanese/feed";
import { FUNCTIONS } from "../../src/session/japanese/functions";
import { listTemplates, listUntranslatable } from "../support/message-templates";
import { listRefusals, listTexts } from "../support/refusal-sentences";
import { startScriptedFormulas } from "../support/scripted-formulas";

const PARTS = [CLIENT, FEED, FUNCTIONS];
const CATALOGUE = Object.assign({}, ...PARTS) as Record<string, string>;

const toPlaceholders = (template: string) => [...template.matchAll(/\{\d+\}/g)].map(String).sort();

afterEach(() => setCatalogue({}));

describe("the Japanese messages", () => {
  it("have every template of the sources, each once, and no other", () => {
    const templates = listTemplates();
    expect(templates.length).toBeGreaterThan(200);
    expect(PARTS.flatMap(Object.keys).sort()).toEqual(templates.sort());
  });

  it("take the same values as the English ones", () => {
    const taken = Object.entries(CATALOGUE).map(([english, japanese]) => [english, toPlaceholders(japanese)]);
    expect(taken).toEqual(Object.keys(CATALOGUE).map((english) => [english, toPlaceholders(english)]));
  });

  it("leave no error of the sources in plain English", () => {
    expect(listUntranslatable()).toEqual([]);
  });
});

/** Refusals of what our pages never send or show: other sites' and programs' requests, and pages that a browser shows itself. */
const NEVER_SHOWN = [
  "The companion takes no claims: send an empty object.",
  'Send the pairing code with the secret of your request, as {"code": "ABCD-EFGH.SECRET"}.',
  "{0} can be set, and nothing else.",
  "{0} must be a text.",
  "Send a JSON object.",
  "The companion has no {0} {1}.",
  "The path is malformed.",
  "The body is larger than this route accepts.",
  "The request is malformed.",
  "The companion failed; its log says why.",
  "The header Authorization is larger than any bearer: send up to 8 KB.",
  "{0} is not an id: letters, digits and - . _ ~ only.",
  "The path is not one of the API.",
  "The API takes other query parameters there: {0}.",
  "The request has more than one Host header.",
  "The companion answers to its own address only: {0}.",
  "Only the companion's own pages may call its API, and this request comes from another one.",
  "Only the companion's own pages may call its API, and this request comes from another site.",
  "Only FEED for Excel may call this API: send the header {0}: {1}.",
  "Send the header Content-Type: {0}.",
  "page_size takes 1 to {0} rows. Ask for the others page by page.",
  "Ask for up to {0} companies at once, and for the others after that.",
  "Read what you asked for before you ask for more.",
  "The caller left before the provider had answered.",
  "The playground is off here. An administrator switches it on with PLAYGROUND=on.",
  'The body must be JSON without blanks, of "companyIds" and "year" alone.',
  "No page is at this address.",
  "A sign-in came back that was not begun in that browser, or is over.",
  "A sign-in was begun from no pane.",
  'Send an access token as {"token": "..."}.',
  "The identity provider gave no token that serves ({0}): check FEED_SIGN_IN_CLIENT_ID and its secret.",
  "The identity provider describes itself as another, or by addresses without https: check FEED_SIGN_IN_ISSUER.",
  // A terminal shows these.
  "The client may read nothing: the provider gives it a token and refuses every family.",
  "{0} of {1} checks failed; each line above says what to do.",
  "The {0} {1} is no JSON object of names and texts. Mend it, or delete it and set up again.",
  // A page has its own sentence for these.
  "You are not signed in to the companion, or that has ended. Sign in from the FEED pane, which leads to {0}",
  "This page is not paired with the companion. For a code, run: {0}",
];

describe("the companion's refusals", () => {
  it("are all in Japanese but for those that no page shows", () => {
    const known = [...Object.keys(COMPANION), ...NEVER_SHOWN];
    expect(listRefusals().filter((sentence) => !known.includes(sentence))).toEqual([]);
  });

  it("are in Japanese as the companion writes them, with the same values", () => {
    const texts = listTexts();
    const all = [...Object.keys(COMPANION), ...NEVER_SHOWN];
    expect(all.filter((sentence) => !texts.includes(sentence))).toEqual([]);
    const taken = Object.entries(COMPANION).map(([english, japanese]) => [english, toPlaceholders(japanese)]);
    expect(taken).toEqual(Object.keys(COMPANION).map((english) => [english, toPlaceholders(english)]));
  });

  it("are shown in Japanese once the messages have come, with their values; others stay as they are", () => {
    const refused = msg`the companion refused: ${new Sentence("The provider asked to wait: try again in 7 s.")}`;
    const other = new Sentence("Something of another version.");
    expect([String(refused), translate(other)]).toEqual([
      "the companion refused: The provider asked to wait: try again in 7 s",
      "Something of another version",
    ]);
    setCatalogue(CATALOGUE, translateSentence);
    expect(translate(refused)).toBe(
      "コンパニオンが拒否しました：データ提供元が待機を求めています。7 秒後にもう一度お試しください",
    );
    expect(translate(other)).toBe("Something of another version");
    expect(translate(new Sentence("Nobody signs in here. For a code, run: feed pair (now) [1]"))).toContain(
      "feed pair (now) [1]",
    );
  });

  it("are shown in one way each: no sentence fits a more general one before its own", () => {
    setCatalogue(CATALOGUE, translateSentence);
    for (const [english, japanese] of Object.entries(COMPANION)) {
      const shown = translate(new Sentence(english.replace(/\{(\d+)\}/g, "<$1>")));
      expect(shown).toBe(japanese.replace(/\{(\d+)\}/g, "<$1>").replace(/[.。]$/, ""));
    }
  });
});

it("a message is translated with the messages in it, and keeps its data", async () => {
  const message = msg`no company${msg` in ${"JPN"}`}${""} is called "${"{0} $1"}"; ${msg`correct the spelling`}`;
  expect(String(message)).toBe('no company in JPN is called "{0} $1"; correct the spelling');
  setCatalogue(CATALOGUE);
  expect(translate(message)).toBe('JPN の "{0} $1" という企業はありません。表記を修正してください');
  expect(translate(new Message("unknown", []))).toBe("unknown");
});

it("shows a cell's error in Japanese once the messages have come", async () => {
  const stage = await startScriptedFormulas(() => undefined);
  try {
    const cell = stage.formulas.type("FINANCIAL", 1, "Revenue", 2023);
    await stage.rest();
    expect(cell.shown.at(-1)).toEqual([[expect.stringContaining("year and metric look swapped")]]);
    await adoptJapanese(stage.formulas.session);
    await stage.rest();
    expect(cell.shown.at(-1)).toEqual([[expect.stringContaining("year と metric が逆のようです")]]);
    cell.cancel();
  } finally {
    await stage.close();
  }
});
