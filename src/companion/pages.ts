import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join, sep } from "node:path";
import helmet from "@fastify/helmet";
import files, { type SetHeadersResponse } from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { OFFICE_SCRIPTS } from "../contract/office";
import type { Mounted } from "./feature";
import { readDeployment, toManifest } from "./manifest";
import type { Provider } from "./provider";
import { Refusal } from "./refusal";

const PLAYGROUND = "/playground.html";
/** The only page that Office frames, and that loads Office's script. */
const PANE = "/taskpane.html";
/** Files of the playground; short, since Windows also names files like "PLAYGR~1". */
const OF_PLAYGROUND = /playgr/i;
const PLAYGROUND_FILE = `${sep}playground.html`;
/** The service worker, which loads the pages' files and runs nothing else. */
const OFFLINE = `${sep}offline.js`;
const OFFLINE_POLICY = `default-src 'none';connect-src 'self' ${OFFICE_SCRIPTS}`;
const ASSET_LIFETIME_SECONDS = 86_400;
/** Excel on the web reads functions.json and the icons from its own origin. */
const FILE_HEADERS = { "cache-control": "no-cache", "access-control-allow-origin": "*" };

/** The parts that the pages use. */
interface PagesOptions {
  /** The folder of the build: playground.html, taskpane.html, functions.js, functions.json, assets. */
  webFolder: string;
  /** Whether the playground is served, a spreadsheet in the browser that a firm does not need. */
  hasPlayground: boolean;
  /** Adds pages that come before the built ones; default none. */
  addMore?: Mounted["addPages"];
  /** The addresses by which people reach the pages; the manifest is for the first of https, by default for the built one. */
  origins: readonly string[];
  /** The provider that pages call directly; absent when their calls travel through the companion. */
  provider?: () => Provider;
}

/** Adds the built pages, which hold no secret, with the headers that Office and browsers need. */
export async function addPages(scope: FastifyInstance, options: PagesOptions): Promise<void> {
  const { webFolder, addMore, hasPlayground, origins, provider } = options;
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: toDirectives(provider) },
    // Office frames the pane, loads its icons and opens dialogs; localhost must stay reachable by http.
    xFrameOptions: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: false,
    referrerPolicy: { policy: "same-origin" },
  });
  scope.get("/", async (_request, reply) => reply.redirect(hasPlayground ? PLAYGROUND : PANE));
  if (!hasPlayground) scope.get(PLAYGROUND, refusePlayground);
  addMore?.(scope);
  const origin = origins.find((each) => each.startsWith("https:"));
  if (origin !== undefined) {
    addDeployedFiles(scope, webFolder, origin, (reply) => void reply.headers(FILE_HEADERS));
  }
  await scope.register(files, {
    root: webFolder,
    index: "index.html",
    // The documents link to each other from their folder, so a folder's address ends in a slash.
    redirect: true,
    dotfiles: "ignore",
    cacheControl: false,
    allowedPath: (path) => hasPlayground || !OF_PLAYGROUND.test(path),
    setHeaders: (response, path) => setHeaders(response, path.slice(webFolder.length)),
  });
}

function toDirectives(
  provider: (() => Provider) | undefined,
): Record<string, Iterable<string | ((request: IncomingMessage) => string)>> {
  return {
    "default-src": ["'self'"],
    "base-uri": ["'self'"],
    "connect-src": [
      "'self'",
      OFFICE_SCRIPTS,
      ...(provider === undefined ? [] : [() => new URL(provider().baseUrl()).origin]),
    ],
    "font-src": ["'self'", "data:"],
    "form-action": ["'none'"],
    "frame-ancestors": [(request) => (isPane(request) ? `'self' ${FRAMING_HOSTS}` : "'self'")],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "script-src": [(request) => (isPane(request) ? `'self' ${OFFICE_SCRIPTS}` : "'self'")],
    "style-src": ["'self'", "'unsafe-inline'"],
    "worker-src": ["'self'"],
  };
}

/** Another spelling of the pane's address gets the narrower policy. */
const isPane = ({ url = "" }: IncomingMessage): boolean => url.startsWith(PANE);

async function refusePlayground(): Promise<never> {
  throw new Refusal(404, "The playground is off here. An administrator switches it on with PLAYGROUND=on.");
}

function setHeaders(response: SetHeadersResponse, path: string): void {
  for (const [name, value] of Object.entries(FILE_HEADERS)) response.setHeader(name, value);
  if (path.startsWith(`${sep}assets${sep}`))
    response.setHeader("cache-control", `public, max-age=${ASSET_LIFETIME_SECONDS}`);
  // Report only, since Office.js is not ours; the playground's spreadsheet writes HTML itself and would report each.
  if (path.endsWith(".html") && path !== PLAYGROUND_FILE)
    response.setHeader("content-security-policy-report-only", "require-trusted-types-for 'script'");
  if (path === OFFLINE) response.setHeader("content-security-policy", OFFLINE_POLICY);
}

/** The built files that name the pages' address, with their types. */
const FILES: Readonly<Record<string, string>> = {
  "manifest.xml": "application/xml; charset=utf-8",
  "functions.json": "application/json; charset=utf-8",
  "functions-ja.json": "application/json; charset=utf-8",
};

/**
 * Serves the manifest and the formulas' metadata for the address by which people reach the companion, so that one build
 * serves every deployment.
 * @param origin That address, such as "https://feed.example.com".
 * @param setHeaders Sets the headers of every page's file.
 */
function addDeployedFiles(
  scope: FastifyInstance,
  webFolder: string,
  origin: string,
  setHeaders: (reply: FastifyReply) => void,
): void {
  const read = (name: string) => readFileSync(join(webFolder, name), "utf8");
  const { origin: built, namespace } = readDeployment(read("manifest.xml"));
  for (const [name, type] of Object.entries(FILES)) {
    const text =
      name === "manifest.xml" ? toManifest(read(name), { origin, namespace }) : read(name).replaceAll(built, origin);
    scope.get(`/${name}`, async (_request, reply) => {
      setHeaders(reply);
      return reply.type(type).send(text);
    });
  }
}

/**
 * The hosts whose pages may frame the pane: Excel on the web nests it in pages of several of them, and the policy must
 * allow each. A wildcard is as wide as its source, but for live.com, whose hosts for persons Microsoft does not list.
 *
 * "ID" is a row of Microsoft's endpoint lists ("Microsoft 365 URLs and IP address ranges" and its pages for each cloud),
 * "Tabs" the frame ancestors of "Prerequisites" for Teams tabs. They were read in the sources of Microsoft Learn, of
 * these versions: worldwide 2022-07-28, its ID 184 2025-04-02, GCC High 2023-03-01, DoD 2023-07-31, 21Vianet 2023-06-29.
 *
 * | cloud | host | source |
 * |---|---|---|
 * | worldwide, GCC | *.cloud.microsoft | ID 184, Tabs: among them excel. and teams.cloud.microsoft |
 * | | *.live.com | ID 46 *.officeapps.live.com and office.live.com; office-js 3342 onedrive.live.com |
 * | | *.microsoft365.com, *.office.com | Tabs |
 * | | *.office365.com | ID 71 |
 * | | *.sharepoint.com | ID 31: a host for each tenant |
 * | | teams.microsoft.com, *.teams.microsoft.com | ID 12, Tabs |
 * | US government | *.office365.us | GCC High ID 23, DoD ID 12: among them *.gov.online and *.dod.online.office365.us |
 * | GCC High | *.sharepoint.us | ID 9 |
 * | | gov.teams.microsoft.us, *.gov.teams.microsoft.us | ID 31 |
 * | DoD | *.dps.mil, *.sharepoint-mil.us | ID 9 |
 * | | od.apps.mil, *.od.apps.mil | ID 19 |
 * | | dod.teams.microsoft.us, *.dod.teams.microsoft.us | ID 7 |
 * | China, by 21Vianet | *.sharepoint.cn | ID 4 |
 * | | *.partner.officewebapps.cn | ID 7 |
 * | | *.teams.microsoftonline.cn | ID 19 |
 */
const OFFICE_HOSTS: readonly string[] = [
  "*.cloud.microsoft",
  "*.live.com",
  "*.microsoft365.com",
  "*.office.com",
  "*.office365.com",
  "*.sharepoint.com",
  "teams.microsoft.com",
  "*.teams.microsoft.com",
  "*.office365.us",
  "*.sharepoint.us",
  "gov.teams.microsoft.us",
  "*.gov.teams.microsoft.us",
  "*.dps.mil",
  "*.sharepoint-mil.us",
  "od.apps.mil",
  "*.od.apps.mil",
  "dod.teams.microsoft.us",
  "*.dod.teams.microsoft.us",
  "*.sharepoint.cn",
  "*.partner.officewebapps.cn",
  "*.teams.microsoftonline.cn",
];

const FRAMING_HOSTS = OFFICE_HOSTS.map((host) => `https://${host}`).join(" ");
