// The script of the service worker: what the pages are made of is kept as it passes, for when there is no network.

/** What a worker has around it that a page, whose types are known here, has not. */
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

const OFFICE_SCRIPTS = "https://appsforoffice.microsoft.com";
const FILES = /(\/|\.(html|js|json|css|woff2|png|svg))$/;
/** What is answered below these is the provider's, or concerns the key, and is not kept, whatever it is called. */
const ANSWERS = /^\/(companion|sandbox)\//;
const CACHE = "pages";
/** About twice of what there is. Whichever was not loaded for the longest time goes first, as files of a former version. */
const MOST_FILES = 200;

const worker = self as unknown as Surroundings;

addEventListener("install", (event) => (event as ExtendableEvent).waitUntil(worker.skipWaiting()));
addEventListener("activate", (event) => (event as ExtendableEvent).waitUntil(worker.clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const key = request.method === "GET" && !request.headers.has("authorization") ? toKey(request.url) : null;
  if (key !== null) (event as FetchEvent).respondWith(answer(event as FetchEvent, key));
});
// A page tells what it has loaded: the first one was there before the worker.
addEventListener("message", (event) =>
  (event as MessageEvent<string[]> & ExtendableEvent).waitUntil(complete((event as MessageEvent<string[]>).data)),
);

/** The name that a file is kept by, without the query, which says who opens it; null for what is not kept. */
function toKey(address: string): string | null {
  const { origin, pathname } = new URL(address);
  const isOwn = origin === location.origin;
  if (!isOwn && origin !== OFFICE_SCRIPTS) return null;
  if (!FILES.test(pathname) || (isOwn && ANSWERS.test(pathname))) return null;
  return origin + (pathname === "/" ? "/playground.html" : pathname);
}

/** The network comes first, so that nobody who has one sees a former version. */
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

/** Whether a file of another origin has come, a worker sees only by CORS, by which the page's own element does not ask. */
async function load(request: Request): Promise<Response> {
  const isSeen = request.mode !== "no-cors" || request.url.startsWith(location.origin);
  return isSeen ? fetch(request) : fetch(request.url).catch(() => fetch(request));
}

/** Keeps a file with its headers; where the storage is full or blocked, only opening without a network is lost. */
async function store(key: string, response: Response): Promise<void> {
  const isFile = response.status === 200 && !response.redirected; // else an error, or somebody's sign-in page
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
