import type { Configuration } from "./configuration";

/** Names the owner of persisted answers: the provider's address and the client id, neither of which is secret. */
export const toOwner = ({
  sample,
  baseUrl,
  clientId,
}: Pick<Configuration, "sample" | "baseUrl" | "clientId">): string =>
  `${sample ? `${SAMPLE} ` : ""}${baseUrl} ${clientId}`;

/** The owner name of sample data, wherever it is served. */
export const SAMPLE = "sample";

/** The provider of an owner: its base URL, or the name of sample data. */
export const toProvider = (owner: string): string => (owner.split(" ", 1)[0] ?? "").replace(/\/+$/, "");
