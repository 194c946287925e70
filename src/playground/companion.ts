/** The part of the companion's description of itself that this page shows. */
export interface CompanionConfig {
  sample: boolean;
  baseUrl: string;
}

/** Asks the companion who it is; undefined when it does not answer. */
export async function loadCompanionConfig(): Promise<CompanionConfig | undefined> {
  try {
    const response = await fetch("/companion/config");
    return response.ok ? ((await response.json()) as CompanionConfig) : undefined;
  } catch {
    return undefined;
  }
}
