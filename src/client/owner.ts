import type { Configuration } from "./configuration";

/** How persisted answers name whose they are: a provider's address and a client's id, which are no secret. */
export const toOwner = ({
  sample,
  baseUrl,
  clientId,
}: Pick<Configuration, "sample" | "baseUrl" | "clientId">): string =>
  `${sample ? `${SAMPLE} ` : ""}${baseUrl} ${clientId}`;

/** What the provider of sample data is called, wherever it is. */
export const SAMPLE = "sample";

/** The provider of an owner: its base URL, or the name of sample data. */
export const toProvider = (owner: string): string => (owner.split(" ", 1)[0] ?? "").replace(/\/+$/, "");
