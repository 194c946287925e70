const WORKER = "/offline.js";

/** Browsers that know trusted types report an address of a script that is only a text. */
const { trustedTypes } = window as {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(address: string): string } };
};

/** Has a worker keep what the pages are made of; where the browser allows none, only opening without a network is lost. */
export async function keepPages(): Promise<void> {
  try {
    const policy = trustedTypes?.createPolicy("offline", { createScriptURL: () => WORKER });
    await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage([location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)]);
  } catch {
    // an address without https, a private window, or a browser without such workers
  }
}
