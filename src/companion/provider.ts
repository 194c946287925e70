import type { Signer } from "./assertion";

/** Whom the companion signs for. */
export interface Provider {
  /** True when the embedded sandbox answers, with sample data. */
  sample: boolean;
  /** Without a slash at its end; the sandbox's is known only once the companion listens. */
  baseUrl: () => string;
  signer: Signer;
}

/** Converts a provider to the address of its token endpoint (§4.1), which is the audience of assertions too. */
export function toTokenUrl(provider: Provider): string {
  return `${provider.baseUrl()}/token`;
}
