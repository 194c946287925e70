import { OFFICE_SCRIPTS } from "../contract/office";

// The page's side of the service worker.

const WORKER = "/offline.js";

/** Browsers with trusted types report a script address that is plain text. */
const { trustedTypes } = window as {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(address: string): string } };
};

/** Origins of the page's files; the provider's answers come from others. */
const SOURCES = [location.origin, OFFICE_SCRIPTS];

/** Registers the worker; without one, only opening without a network is lost. */
export async function registerWorker(): Promise<void> {
  const policy = trustedTypes?.createPolicy("offline", { createScriptURL: () => WORKER });
  // fails in a private window
  await navigator.serviceWorker?.register(policy?.createScriptURL(WORKER) ?? WORKER).catch(() => {});
}

/**
 * Lists to the registered worker the files that the page loads past it: those before the worker served the page, and
 * those on their way at that moment, which are listed as they end.
 *
 * @param wanted paths of files that the page has not loaded yet; default none
 */
export async function cachePage(wanted: readonly string[] = []): Promise<void> {
  const registration = await navigator.serviceWorker?.ready; // an address without https has none
  const list = (addresses: string[]) => registration?.active?.postMessage(addresses);
  list([location.href, ...wanted.map((path) => new URL(path, location.href).href)]);
  new PerformanceObserver((loaded) => {
    const entries = loaded.getEntries() as PerformanceResourceTiming[];
    const past = entries.filter(({ workerStart, name }) => workerStart === 0 && SOURCES.includes(new URL(name).origin));
    if (past.length > 0) list(past.map(({ name }) => name));
  }).observe({ type: "resource", buffered: true });
}
