import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, PAIRING_STORAGE_KEY } from "../contract/companion-api";

/** The part of the companion's description of itself that this page shows. */
interface CompanionConfig {
  sample: boolean;
  baseUrl: string;
}

/** What the companion says of itself; "unpaired" when it does not know this page, undefined when it does not answer. */
export type CompanionAnswer = CompanionConfig | "unpaired" | undefined;

const CONFIG = "/companion/config";

/** Asks the companion who it is. */
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
    return {}; // blocked: nothing was kept
  }
}

/** Tells when a page has asked the companion who it is: when it connects, has been paired, or has set a provider up. */
export function watchConfigRequests(page: Window & typeof globalThis, onRequest: () => void): void {
  const observer = new page.PerformanceObserver((list) => {
    if (list.getEntries().some(({ name }) => new URL(name).pathname === CONFIG)) onRequest();
  });
  observer.observe({ type: "resource" });
}
