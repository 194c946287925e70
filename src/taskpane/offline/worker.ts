import { OFFICE_SCRIPTS } from "../../contract/office";

// The service worker: stores the pages' files as they load, for use without a network.

/** The worker's globals, which the page's types lack. */
interface Surroundings {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const FILES = /(\/|\.(html|js|json|css|woff2|png|svg))$/;
/** Paths of data and credentials, which are never stored. */
const ANSWERS = /^\/(companion|sandbox)\//;
const CACHE = "pages";
/**
 * About twice the number of files. The one that was not loaded for the longest time is removed first, as files of a
 * former version are.
 */
const MOST_FILES = 200;

const worker = self as unknown as Surroundings;

addEventListener("install", (event) => (event as ExtendableEvent).waitUntil(worker.skipWaiting()));
addEventListener("activate", (event) => (event as ExtendableEvent).waitUntil(worker.clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const key = request.method === "GET" && !request.headers.has("authorization") ? toKey(request.url) : null;
  if (key !== null) (event as FetchEvent).respondWith(answer(event as FetchEvent, key));
});
// A page lists the files that it loaded, since the first page loads before the worker.
addEventListener("message", (event) =>
  (event as MessageEvent<string[]> & ExtendableEvent).waitUntil(complete((event as MessageEvent<string[]>).data)),
);

/** The cache key of a file, without its query; null for what is not stored. */
function toKey(address: string): string | null {
  const { origin, pathname } = new URL(address);
  const isOwn = origin === location.origin;
  if (!isOwn && origin !== OFFICE_SCRIPTS) return null;
  if (!FILES.test(pathname) || (isOwn && ANSWERS.test(pathname))) return null;
  return origin + (pathname === "/" ? "/playground.html" : pathname);
}

/** Network first, so that nobody online sees a former version. */
async function answer(event: FetchEvent, key: string): Promise<Response> {
  try {
    const response = await load(event.request);
    event.waitUntil(store(key, response.clone()));
    return response;
  } catch (error) {
    const persisted = await (await caches.open(CACHE)).match(key);
    if (persisted === undefined) throw error;
    return persisted;
  }
}

/** Loads a file. For another origin only CORS shows whether it came, which the page's own element does not request. */
async function load(request: Request): Promise<Response> {
  const isSeen = request.mode !== "no-cors" || request.url.startsWith(location.origin);
  return isSeen ? fetch(request) : fetch(request.url).catch(() => fetch(request));
}

/** Stores a file with its headers; without storage only offline use is lost. */
async function store(key: string, response: Response): Promise<void> {
  const isFile = response.status === 200 && !response.redirected; // otherwise an error, or a sign-in page
  if (!isFile || response.headers.get("cache-control")?.includes("no-store")) return;
  await caches
    .open(CACHE)
    .then((cache) => cache.put(key, response))
    .catch(() => undefined);
}

async function complete(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const keys = [...new Set(addresses.map(toKey))].filter((key) => key !== null);
  const storeMissing = async (key: string) => (await cache.match(key)) ?? store(key, await fetch(key));
  await Promise.allSettled(keys.map(storeMissing));
  const persisted = await cache.keys();
  await Promise.all(persisted.slice(0, -MOST_FILES).map((file) => cache.delete(file)));
}
