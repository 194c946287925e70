import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { readTestKey } from "../support/keys";
import { createProviderServer, type ProviderServer } from "./provider-server";

const ID = "3f0c6f52-6f3e-4f0e-9a56-0f6d5a1f0001";
const COMPANIES = "/asia/private-markets/v1/companies";
const FINANCIALS = "/asia/private-markets/v1/financials";
const TREE = "/asia/industry-taxonomies/v1/tree";
const RANKING = "/japan/ranking/v1/companies";
const PAGE = { data: [{ id: ID }], page: 1, pageSize: 1, total: 9 };
const ALL = {
  [COMPANIES]: PAGE,
  [FINANCIALS]: { ...PAGE, data: [{ companyId: ID, years: [] }] },
  [TREE]: [],
  [RANKING]: PAGE,
};

let provider: ProviderServer;
let folder: string;
/** The path below which the provider answers; elsewhere its gateway does. */
let place: string;
/** The answer for a path: a status, or data. */
let answers: Record<string, unknown>;
let statusOfToken: number;

/** Answers as a gateway that refuses everything without a token, quoting nothing. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "", "http://provider");
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (pathname === `${place}/token`) return void send(statusOfToken, { access_token: "token-1", expires_in: 300 });
  if (request.headers.authorization !== "Bearer token-1") return void send(401, { error: "invalid_client" });
  const found = answers[pathname.slice(place.length)] ?? 404;
  send(typeof found === "number" ? found : 200, found);
}

async function check(path = ""): Promise<{ lines: string[]; error: Error | undefined }> {
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, readTestKey("provider").privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const environment = {
    FEED_BASE_URL: `http://127.0.0.1:${provider.port}${path}`,
    FEED_CLIENT_ID: "client-1",
    FEED_KEY_ID: "kid-1",
    FEED_PRIVATE_KEY_FILE: keyFile,
  };
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const places = { folder, certificateFolder: folder, webFolder: "", platform: "linux" } as const;
  const error = await runCommand(["check"], { environment, print, ...places }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { lines, error };
}

beforeEach(async () => {
  [place, statusOfToken, answers] = ["", 200, ALL];
  folder = mkdtempSync(join(tmpdir(), "feed-check-data-"));
  provider = await createProviderServer(answer);
});
afterEach(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

describe("a base URL with a surplus path", () => {
  it.each(["/v1/", "/v1", "/asia/private-markets/v1", "/token"])(
    "is reported instead of client or key: %s",
    async (path) => {
      const { lines, error } = await check(path);
      const failed = lines.filter((line) => line.startsWith("FAIL"));
      expect(failed).toEqual([
        `FAIL  FEED_BASE_URL has a path that does not belong there: the provider gives a token at http://127.0.0.1:${provider.port}/token. Set FEED_BASE_URL to http://127.0.0.1:${provider.port}`,
      ]);
      expect(error?.message).toMatch(/^1 of \d+ checks failed/);
    },
  );

  it("is corrected without losing the part that belongs there", async () => {
    place = "/feed";
    const { lines } = await check("/feed/v1");
    expect(lines).toContainEqual(
      expect.stringMatching(/^FAIL .* Set FEED_BASE_URL to http:\/\/127\.0\.0\.1:\d+\/feed$/),
    );
  });

  it("is reported beside client and key if no part of it yields a token", async () => {
    statusOfToken = 401;
    const { lines } = await check("/v1");
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^FAIL {2}Key "kid-1": .* Check FEED_BASE_URL, whose path \/v1 is rarely right, FEED_CLIENT_ID and/,
      ),
    );
  });
});

describe("the client's data access", () => {
  it("is checked by one read of each family, with a token for that alone", async () => {
    const { lines, error } = await check();
    expect(error).toBeUndefined();
    expect(lines.filter((line) => line.includes("may read"))).toEqual([
      expect.stringContaining("Nobody else may read"),
      "pass  The client may read companies, financials, taxonomies and rankings.",
    ]);
    const reads = provider.seen.filter(({ url }) => url !== "/token");
    expect(reads.map(({ url }) => new URL(url, "http://provider").pathname)).toEqual(Object.keys(ALL));
    expect(reads.map(({ url }) => url).join()).toMatch(/page_size=1\b/);
    expect(reads[1]?.body).toContain(ID);
    expect(lines.join()).not.toContain("token-1");
  });

  it("is reported by name for each refused family, with the scope to request", async () => {
    answers = { ...ALL, [COMPANIES]: 403, [FINANCIALS]: 403 };
    const { lines, error } = await check();
    expect(error).toBeUndefined();
    expect(lines).toContain("pass  The client may read taxonomies and rankings.");
    expect(lines).toContain(
      "note  The provider refuses companies of Japan (403). If formulas need them, ask it for the scope company:read and for the country.",
    );
    expect(lines).toContain(
      "note  The provider refuses financials (403). If formulas need them, ask it for the scope financials:read.",
    );
  });

  it("fails if the provider refuses every family", async () => {
    answers = {
      [COMPANIES]: 403,
      [FINANCIALS]: 403,
      [TREE]: 403,
      [RANKING]: 401,
    };
    const { lines, error } = await check();
    expect(lines).toContain(
      "FAIL  The client may read nothing: the provider gives it a token and refuses every family. Ask the provider for the scopes of your contract.",
    );
    expect(error?.message).toMatch(/^1 of \d+ checks failed/);
  });

  it("is distinguished from a missing path and a failing provider", async () => {
    answers = { ...ALL, [TREE]: 503, [RANKING]: 404 };
    const { lines } = await check();
    expect(lines).toContain("pass  The client may read companies and financials.");
    expect(lines).toContain(
      "note  Whether the client may read taxonomies is not known: the provider answered 503. Try again later.",
    );
    expect(lines).toContain(
      "note  Whether the client may read rankings is not known: the provider answered 404 at /japan/ranking/v1/companies. Check FEED_BASE_URL.",
    );
  });

  it("is unknown if the answer is no data", async () => {
    answers = { ...ALL, [TREE]: "signed out" };
    expect((await check()).lines).toContainEqual(
      expect.stringMatching(
        /^note {2}Whether the client may read taxonomies is not known: .* answered 200 without data at \/asia/,
      ),
    );
  });
});
