const WORKER = "/offline.js";

/** Browsers with trusted types report a script address that is plain text. */
const { trustedTypes } = window as {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(address: string): string } };
};

let registered: Promise<unknown> | null = null;

/** Caches the files that the page has loaded so far; without a worker, only opening without a network is lost. */
export async function cachePages(): Promise<void> {
  try {
    registered ??= register();
    await registered;
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage([location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)]);
  } catch {
    // an address without https, a private window, or a browser without service workers
  }
}

async function register(): Promise<void> {
  const policy = trustedTypes?.createPolicy("offline", { createScriptURL: () => WORKER });
  await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
}
