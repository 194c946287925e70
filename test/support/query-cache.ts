import type { Ports } from "../../src/client/ports";
import { NO_PERSISTED_CACHE } from "../../src/feed/persisted-cache";
import { createQueryCache } from "../../src/feed/query-cache";

/** A query cache without a budget and persisted answers. */
export const createPlainQueryCache = (ports: Ports, notify = () => {}) =>
  createQueryCache(ports, {
    notify,
    answers: NO_PERSISTED_CACHE,
    foundPersisted: () => {},
    listSources: () => [],
    budget: { run: (_query, _by, load) => load(() => {}), announce: () => () => {}, checkRefresh: () => null },
    check: () => null,
  });
