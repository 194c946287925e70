import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { COMPLETE } from "./complete-settings";
import HOSTS from "./framing-hosts.json";
import PAGES from "./pages.json";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";

const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
let companion: PairedCompanion;

beforeAll(async () => {
  companion = await startPaired({ configuration: readConfiguration(ENVIRONMENT) });
});
afterAll(() => companion.app.close());

/** Requests a page as a browser that is not paired. */
const get = (path: string, headers?: Record<string, string>) => sendRaw(companion.port, "GET", path, headers);

const readPolicy = async (path: string): Promise<string[]> =>
  String((await get(path)).headers["content-security-policy"]).split(";");

/** The sources of the pane's frame-ancestors, 'self' first. */
async function readAncestors(): Promise<string[]> {
  const policy = await readPolicy("/taskpane.html");
  const directive = policy.find((each) => each.startsWith("frame-ancestors ")) ?? "";
  return directive.split(" ").slice(1);
}

/** Whether a source of the policy allows an origin; a wildcard stands for one label or more, as in CSP Level 3. */
function isAllowing(source: string, origin: string): boolean {
  const [scheme, host] = source.split("//");
  const [ownScheme, ownHost = ""] = origin.split("//");
  if (scheme !== ownScheme) return false;
  return host?.startsWith("*.") ? ownHost.endsWith(host.slice(1)) : ownHost === host;
}

describe("the pages", () => {
  it("open with the playground", async () => {
    const { status, headers } = await get("/");
    expect([status, headers.location]).toEqual([302, "/playground.html"]);
  });

  it.each(Object.entries(PAGES.types))("serve %s with revalidation", async (path, type) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": type,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    const again = await get(path, { "if-none-match": String(headers.etag) });
    expect(again.status).toBe(304);
  });

  it("serve the icons for a day", async () => {
    const { status, headers } = await get("/assets/icon-16.png");
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "image/png",
      "public, max-age=86400",
    ]);
  });

  it("can be framed by Office and read by Excel on the web", async () => {
    const { headers } = await get("/taskpane.html");
    for (const name of ["x-frame-options", "strict-transport-security", "cross-origin-opener-policy"]) {
      expect(headers[name]).toBeUndefined();
    }
    expect(headers).toMatchObject({
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "referrer-policy": "same-origin",
    });
  });

  it.each(Object.entries(HOSTS.allowed))("can be framed by Excel on the web and Teams: %s", async (_cloud, hosts) => {
    const sources = await readAncestors();
    expect(hosts.filter((host) => !sources.some((source) => isAllowing(source, `https://${host}`)))).toEqual([]);
  });

  it.each(HOSTS.refused)("cannot be framed by %s", async (origin) => {
    expect((await readAncestors()).filter((source) => isAllowing(source, origin))).toEqual([]);
  });

  it("can be framed by the hosts that an administrator reads of, and by no others", async () => {
    const operating = readFileSync(join(__dirname, "../../src/companion/OPERATE.md"), "utf8");
    const [, table = ""] = operating.split("\n| cloud | hosts |\n|---|---|\n");
    const [rows = ""] = table.split("\n\n");
    const listed = [...rows.matchAll(/`([^`]+)`/g)].map(([, host]) => `https://${host}`);
    expect([...new Set(listed)].toSorted()).toEqual((await readAncestors()).slice(1).toSorted());
  });

  it("let Excel on the web read the formulas and the keyboard shortcuts from its own origin", async () => {
    for (const path of ["/functions.json", "/shortcuts.json"]) {
      const { headers } = await get(path, { origin: "https://excel.cloud.microsoft" });
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("load scripts from themselves, the pane also from Office, and compile none", async () => {
    expect(await readPolicy("/taskpane.html")).toContain("script-src 'self' https://appsforoffice.microsoft.com");
    for (const path of ["/playground.html", "/playground-pane.html", "/reference/", "/%70layground.html"]) {
      expect(await readPolicy(path)).toContain("script-src 'self'");
    }
  });

  it.each(["/playground.html", "/playground-pane.html", "/%70layground.html", "//playground.html", "/reference/"])(
    "are framed by themselves alone: %s",
    async (path) => {
      expect(await readPolicy(path)).toContain("frame-ancestors 'self'");
    },
  );

  it("load workers from themselves; the service worker may load the same as they do", async () => {
    expect(await readPolicy("/taskpane.html")).toContain("worker-src 'self'");
    expect(await readPolicy("/offline.js")).toEqual([
      "default-src 'none'",
      "connect-src 'self' https://appsforoffice.microsoft.com",
    ]);
  });

  it("report untrusted types in the pane and on every page that compiles nothing", async () => {
    const policyOf = async (path: string) => (await get(path)).headers["content-security-policy-report-only"];
    for (const path of ["/taskpane.html", "/taskpane.html?/playground.html", "/reference/"]) {
      expect(await policyOf(path)).toBe("require-trusted-types-for 'script'");
    }
    for (const path of ["/playground.html", "/functions.js"]) expect(await policyOf(path)).toBeUndefined();
  });

  it.each(["/../package.json", "/%2e%2e/package.json", "/.hidden", "/assets/", "/absent.html"])(
    "do not serve %s",
    async (path) => {
      const { status, body } = await get(path);
      expect([403, 404]).toContain(status);
      expect(body).not.toContain("hidden\n");
    },
  );
});

describe("the playground", () => {
  /** Starts a companion with settings, and acts on its pages. */
  async function open(settings: Record<string, string>, act: (read: typeof get) => Promise<void>) {
    const configuration = readConfiguration({ ...COMPLETE, ...ENVIRONMENT, ...settings });
    const own = await startPaired({ configuration });
    await act((path) => sendRaw(own.port, "GET", path)).finally(() => own.app.close());
  }

  it.each(Object.entries<Record<string, string>>(PAGES.playgroundOff))(
    "is off if %s, at any address, and the pages open with the pane",
    (_where, settings) =>
      open(settings, async (read) => {
        for (const path of PAGES.playground) {
          const { status, body } = await read(path);
          expect([path, status < 400, body.includes("<title>")]).toEqual([path, false, false]);
        }
        expect((await read("/playground.html")).body).toContain("switches it on with PLAYGROUND=on");
        expect((await read("/")).headers.location).toBe("/taskpane.html");
        expect((await read("/taskpane.html")).status).toBe(200);
      }),
  );

  it.each(Object.entries<Record<string, string>>(PAGES.playgroundOn))("is served by %s", (_whose, settings) =>
    open(settings, async (read) => {
      expect((await read("/playground.html")).status).toBe(200);
      expect((await read("/")).headers.location).toBe("/playground.html");
    }),
  );
});
