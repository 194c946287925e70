import type { IncomingMessage } from "node:http";
import { sep } from "node:path";
import helmet from "@fastify/helmet";
import files, { type SetHeadersResponse } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { OFFICE_SCRIPTS } from "../contract/office";
import { addDeployedFiles } from "./deployed-files";
import type { Mounted } from "./feature";
import { OFFICE_HOSTS } from "./office-hosts";
import type { Provider } from "./provider";
import { Refusal } from "./refusal";

const FRAMING_HOSTS = OFFICE_HOSTS.map((host) => `https://${host}`).join(" ");
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
