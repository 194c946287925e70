import type { IncomingMessage } from "node:http";
import { sep } from "node:path";
import helmet from "@fastify/helmet";
import files, { type SetHeadersResponse } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { Provider } from "./provider";
import { Refusal } from "./refusal";

const OFFICE_SCRIPTS = "https://appsforoffice.microsoft.com";
/** Excel on the web nests the pane in pages of several of these, and every one of them is asked for. */
const OFFICE_HOSTS = [
  "cloud.microsoft",
  "live.com",
  "microsoft365.com",
  "office.com",
  "office365.com",
  "sharepoint.com",
];
const FRAMING_HOSTS = OFFICE_HOSTS.map((host) => `https://*.${host}`).join(" ");
const PLAYGROUND = "/playground.html";
/** The only page that Office frames, and that takes a script from it. */
const PANE = "/taskpane.html";
/** All that the playground is made of; short, since Windows knows a file by "PLAYGR~1" too. */
const OF_PLAYGROUND = /playgr/i;
const PLAYGROUND_FILE = `${sep}playground.html`;
/** The worker that keeps the pages, which loads what they load and runs nothing. */
const OFFLINE = `${sep}offline.js`;
const OFFLINE_POLICY = `default-src 'none';connect-src 'self' ${OFFICE_SCRIPTS}`;
const ASSET_LIFETIME_SECONDS = 86_400;

/** What the pages need. */
interface PagesOptions {
  /** The folder that the build writes: playground.html, taskpane.html, functions.js, functions.json, assets. */
  webFolder: string;
  /** Whether the playground is served: a spreadsheet in the browser, which a firm's pane does without. */
  hasPlayground: boolean;
  /** Whom pages call themselves at this moment; absent when their calls travel through the companion. */
  provider?: () => Provider;
}

/** Adds the built pages, which hold nothing secret, with the headers that Office and browsers need. */
export async function addPages(scope: FastifyInstance, options: PagesOptions): Promise<void> {
  const { webFolder, hasPlayground, provider } = options;
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: toDirectives(provider) },
    // Office frames the pane, reads its icons from its own pages and opens dialogs; localhost must stay reachable by http.
    xFrameOptions: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: "cross-origin" },
    strictTransportSecurity: false,
    referrerPolicy: { policy: "same-origin" },
  });
  scope.get("/", async (_request, reply) => reply.redirect(hasPlayground ? PLAYGROUND : PANE));
  if (!hasPlayground) scope.get(PLAYGROUND, refusePlayground);
  await scope.register(files, {
    root: webFolder,
    index: "index.html",
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

/** Whoever asks for the pane by an address written otherwise gets the narrower policy of all else. */
const isPane = ({ url = "" }: IncomingMessage): boolean => url.startsWith(PANE);

async function refusePlayground(): Promise<never> {
  throw new Refusal(404, "The playground is off here. An administrator switches it on with PLAYGROUND=on.");
}

function setHeaders(response: SetHeadersResponse, path: string): void {
  const isAsset = path.startsWith(`${sep}assets${sep}`);
  response.setHeader("cache-control", isAsset ? `public, max-age=${ASSET_LIFETIME_SECONDS}` : "no-cache");
  // Only reported, since Office.js is not ours; the playground's spreadsheet writes its own HTML and would report each.
  if (path.endsWith(".html") && path !== PLAYGROUND_FILE)
    response.setHeader("content-security-policy-report-only", "require-trusted-types-for 'script'");
  if (path === OFFLINE) response.setHeader("content-security-policy", OFFLINE_POLICY);
  // Excel on the web reads functions.json and the icons from its own origin.
  response.setHeader("access-control-allow-origin", "*");
}
