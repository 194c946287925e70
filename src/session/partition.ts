/**
 * The prefix of keys in the origin's storage. Office gives one on the web, for each top-level site (Microsoft Learn,
 * "Persist add-in state and settings"); it is empty elsewhere. Office knows it once it is ready.
 */
export const readPartition = (): string =>
  typeof Office === "undefined" ? "" : ((Office.context?.partitionKey as string | undefined) ?? "");
