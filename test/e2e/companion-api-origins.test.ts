import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import { createCompanion } from "../../src/companion/companion";
import { createPages } from "../companion/pages-folder";
import { createProviderServer, type ProviderServer } from "../companion/provider-server";
import { readPort } from "../companion/raw-request";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  pairHeaders,
} from "../companion/test-configuration";
import { type RunningServer, startServer } from "../support/http-server";
import { createBrowser } from "./surroundings";

const JSON_TYPE = { "content-type": "application/json" };
const CONFIG = "/companion/config";
const ASSERTION = "/companion/assertion";
const RELAY = "/companion/relay/asia/industry-taxonomies/v1/tree";
const TOKEN = "/companion/relay/token";

const at = createBrowser("--host-resolver-rules=MAP evil.test 127.0.0.1");
let companion: FastifyInstance;
let provider: ProviderServer;
let others: RunningServer;
/** The companion's own origin, and foreign origins. */
let own: string;
let otherPort: string;
let otherSite: string;
let rebound: string;
/** The headers of the paired page, with its bearer. */
let paired: Record<string, string>;
let signatures = 0;
/** The companion's refusals: method, path, status, and the guard. */
let refused: string[] = [];

beforeAll(async () => {
  provider = await createProviderServer((_request, response) => void response.end("{}"));
  const headers = { "content-type": "text/html" };
  others = await startServer(() => ({ headers, text: "<!doctype html><title>other</title>" }));
  await startCompanion();
  const port = readPort(companion);
  const { port: foreign } = new URL(others.url);
  own = `http://localhost:${port}`;
  otherPort = `http://localhost:${foreign}`;
  otherSite = `http://evil.test:${foreign}`;
  rebound = `http://evil.test:${port}`;
});
beforeEach(() => {
  signatures = 0;
  refused = [];
  provider.seen.length = 0;
});
afterAll(async () => {
  await companion.close();
  await provider.close();
  await others.close();
});

async function startCompanion(): Promise<void> {
  const [signer] = createClient().signers;
  const sign: typeof signer.sign = (bytes) => {
    signatures += 1;
    return signer.sign(bytes);
  };
  const baseUrl = `http://127.0.0.1:${provider.port}`;
  const client = { clientId: "client-1", signers: [{ ...signer, sign }] as [typeof signer] };
  const pairings = createTestPairings();
  companion = await createCompanion({
    configuration: createConfiguration(baseUrl, { logLevel: "warn", provider: { baseUrl, client } }),
    webFolder: createPages(),
    stores: createTestStores(pairings),
    log: { write: record },
  });
  await companion.listen({ host: "127.0.0.1", port: 0 });
  paired = await pairHeaders(pairings, `http://localhost:${readPort(companion)}`);
}

function record(line: string): void {
  const { method, path, status, msg } = JSON.parse(line);
  const guard = { "another one.": "origin", "another site.": "site" }[/another \w+\.$/.exec(msg)?.[0] ?? ""];
  refused.push(`${method} ${path} ${status} ${guard}`);
}

/** Expects that the companion has refused these, and neither signed nor called the provider. */
function expectRefused(...refusals: string[]): void {
  expect(refused).toEqual(refusals);
  expect([signatures, provider.seen]).toEqual([0, []]);
}

/** Runs a script in a page of an origin, in its own browser profile. */
async function visit<R>(origin: string, act: (page: Page) => Promise<R>): Promise<R> {
  const page = await at.browser.newPage();
  try {
    await page.goto(`${origin}/playground.html`);
    return await act(page);
  } finally {
    await page.context().close();
  }
}

/** Fetches from a page of an origin, one after the other; gives the status that its script sees, or the error. */
const fetchFrom = (origin: string, ...requests: [url: string, init?: RequestInit][]) =>
  visit(origin, (page) =>
    page.evaluate(async (all) => {
      const seen: string[] = [];
      for (const [url, init] of all) {
        const answer = fetch(url, init).then(({ status, type }) => `${type} ${status}`);
        seen.push(await answer.catch((error: Error) => error.name));
      }
      return seen;
    }, requests),
  );

/** Submits a form from a page, which navigates to the answer; gives its status. */
async function submit(page: Page, url: string, method: string, enctype: string): Promise<number> {
  const answered = page.waitForResponse((response) => response.url().startsWith(url));
  await page.evaluate(
    ([action, method, enctype]) => {
      const form = Object.assign(document.createElement("form"), { action, method, enctype });
      form.append(Object.assign(document.createElement("input"), { name: '{"a":"', value: '"}' }));
      document.body.append(form);
      form.submit();
    },
    [url, method, enctype] as const,
  );
  return (await answered).status();
}

const EXCEL = { "feed-client": "excel" };
const post = (headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { ...JSON_TYPE, ...headers },
  body: "{}",
});

it("a page of the companion's own origin gets an assertion once it is paired, so the refusals below are due to the origin", async () => {
  const seen = await fetchFrom(own, [ASSERTION, post(EXCEL)], [ASSERTION, post(paired)], [RELAY, { headers: paired }]);
  expect(seen).toEqual(["basic 401", "basic 200", "basic 200"]);
  expect([signatures, provider.seen.length]).toEqual([1, 1]);
});

describe.each([
  ["another port", () => otherPort],
  ["another site", () => otherSite],
])("a page of %s", (_title, origin) => {
  it("is refused requests without a preflight, even with a stolen pairing, and reads nothing", async () => {
    const text: RequestInit = { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" };
    const seen = await fetchFrom(
      origin(),
      [own + CONFIG],
      [own + ASSERTION, text],
      [own + ASSERTION, { ...text, mode: "no-cors", credentials: "include" }],
      // A stolen pairing: without cors the browser omits custom headers and sends the rest.
      [own + ASSERTION, { ...post(paired), mode: "no-cors" }],
      [own + RELAY, { mode: "no-cors" }],
    );
    expect(seen).toEqual(["TypeError", "TypeError", "opaque 0", "opaque 0", "opaque 0"]);
    const refusals = [`GET ${CONFIG} 403 origin`, ...Array(3).fill(`POST ${ASSERTION} 403 origin`)];
    expectRefused(...refusals, `GET ${RELAY} 403 site`);
  });

  it("is refused the preflight of every other request, which is never sent, even with a stolen pairing", async () => {
    const seen = await fetchFrom(
      origin(),
      [own + ASSERTION, post()],
      [own + CONFIG, { headers: EXCEL }],
      [own + CONFIG, { method: "PUT", body: "{}" }],
      [own + ASSERTION, post(paired)], // a stolen pairing
      [own + RELAY, { headers: paired }],
    );
    expect(seen).toEqual(Array(5).fill("TypeError"));
    expectRefused(...[ASSERTION, CONFIG, CONFIG, ASSERTION, RELAY].map((path) => `OPTIONS ${path} 403 origin`));
  });

  it.each([
    ["POST", "text/plain", ASSERTION],
    ["POST", "application/x-www-form-urlencoded", TOKEN],
    ["POST", "multipart/form-data", "/companion/pairing"],
    ["GET", "application/x-www-form-urlencoded", CONFIG],
  ])("is refused a %s form of %s to %s", async (method, enctype, path) => {
    expect(await visit(origin(), (page) => submit(page, own + path, method, enctype))).toBe(403);
    expectRefused(`${method} ${path} 403 ${method === "GET" ? "site" : "origin"}`);
  });

  it("is refused frames, pictures and scripts of the companion API", async () => {
    await visit(origin(), (page) =>
      page.evaluate(async (url) => {
        for (const name of ["iframe", "img", "script"] as const) {
          const element = Object.assign(document.createElement(name), { src: url });
          await new Promise((resolve) => {
            element.onload = element.onerror = resolve;
            document.body.append(element);
          });
        }
      }, own + RELAY),
    );
    expectRefused(...Array(3).fill(`GET ${RELAY} 403 site`));
  });
});

it("a sandboxed frame without an origin is refused", async () => {
  const script = `fetch("${own}${ASSERTION}", { method: "POST", mode: "no-cors", body: "{}" })`;
  const seen = await visit(otherPort, (page) =>
    page.evaluate(
      (html) =>
        new Promise((resolve) => {
          addEventListener("message", ({ data, origin }) => resolve([data, origin]), { once: true });
          const frame = document.createElement("iframe");
          frame.setAttribute("sandbox", "allow-scripts");
          frame.src = `data:text/html,${encodeURIComponent(html)}`;
          document.body.append(frame);
        }),
      `<script>${script}.then(({ type }) => parent.postMessage(type, "*"))</script>`,
    ),
  );
  expect(seen).toEqual(["opaque", "null"]);
  expectRefused(`POST ${ASSERTION} 403 origin`);
});

describe("a name rebound to this machine", () => {
  it("is refused everything with 421 on the companion's own port, even with a stolen pairing", async () => {
    const seen = await fetchFrom(
      rebound,
      [CONFIG, { headers: EXCEL }],
      [ASSERTION, post(EXCEL)],
      [ASSERTION, post(paired)],
      [RELAY, { headers: paired }],
      ["/companion/pairing", { ...post(paired), body: '{"code":"ABCD-EFGH"}' }],
      ["/companion/nothing", { headers: paired }],
    );
    expect(seen).toEqual(Array(6).fill("basic 421"));
    expect([signatures, provider.seen]).toEqual([0, []]);
  });
});
