import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, PAIRING_STORAGE_KEY } from "../contract/companion-api";

/** The part of the companion's configuration that this page shows. */
interface CompanionConfig {
  sample: boolean;
  baseUrl: string;
}

/** The companion's configuration; "unpaired" for an unpaired page, undefined without an answer. */
export type CompanionAnswer = CompanionConfig | "unpaired" | undefined;

const CONFIG = "/companion/config";

/** Loads the companion's configuration. */
export async function loadCompanionConfig(): Promise<CompanionAnswer> {
  try {
    const response = await fetch(CONFIG, { headers: { [CLIENT_HEADER]: CLIENT_NAME, ...readPairing() } });
    if (response.status === 401) return "unpaired";
    return response.ok ? ((await response.json()) as CompanionConfig) : undefined;
  } catch {
    return undefined;
  }
}

function readPairing(): Record<string, string> {
  try {
    const bearer = localStorage.getItem(PAIRING_STORAGE_KEY) ?? "";
    return /^[\w-]+$/.test(bearer) ? { [PAIRING_HEADER]: bearer } : {};
  } catch {
    return {}; // storage is blocked
  }
}

/** Calls back when a page has loaded the configuration: on connecting, pairing, or set-up. */
export function watchConfigRequests(page: Window & typeof globalThis, onRequest: () => void): void {
  const observer = new page.PerformanceObserver((list) => {
    if (list.getEntries().some(({ name }) => new URL(name).pathname === CONFIG)) onRequest();
  });
  observer.observe({ type: "resource" });
}
