import {
  CLIENT_HEADER,
  CLIENT_NAME,
  PAIRING_HEADER,
  PAIRING_STORAGE_KEY,
  REFUSAL_HEADER,
  WRONG_CODE,
} from "../contract/door";

/** The part of the companion's description of itself that this page shows. */
export interface CompanionConfig {
  sample: boolean;
  baseUrl: string;
}

/** Asks the companion who it is; "unpaired" when it does not know this page, undefined when it does not answer. */
export async function loadCompanionConfig(): Promise<CompanionConfig | "unpaired" | undefined> {
  try {
    const response = await fetch("/companion/config", { headers: { [CLIENT_HEADER]: CLIENT_NAME, ...readPairing() } });
    if (response.status === 401) return "unpaired";
    return response.ok ? ((await response.json()) as CompanionConfig) : undefined;
  } catch {
    return undefined;
  }
}

/** How an attempt to pair ended: "unkept" where the browser keeps nothing for this page. */
export type Paired = "paired" | "refused" | "unkept" | "failed";

/** Exchanges a code of the companion's terminal for the pairing that all pages of this origin share. */
export async function pair(code: string): Promise<Paired> {
  const headers = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };
  const response = await fetch("/companion/pairing", {
    method: "POST",
    headers,
    body: JSON.stringify({ code: code.normalize("NFKC") }),
  }).catch(() => undefined);
  if (response?.headers.get(REFUSAL_HEADER) === WRONG_CODE) return "refused";
  if (!response?.ok) return "failed";
  const { bearer } = (await response.json()) as { bearer: string };
  try {
    localStorage.setItem(PAIRING_STORAGE_KEY, bearer);
    return "paired";
  } catch {
    return "unkept";
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
