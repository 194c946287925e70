import type { Held, Refreshed } from "../feed/query-cache";
import type { Texts } from "./texts";

/** Below this, times need their seconds to differ. */
const SHORT_MS = 2 * 60_000;

/** A refresh's result: the refetched and failed queries, and answers held back by the firm's policy. */
export function toRefreshedText({ refetched, failures, held }: Omit<Refreshed, "isCancelled">, texts: Texts): string {
  const again = refetched - (held?.count ?? 0);
  const said = failures.length === 0 ? texts.refreshed(again) : texts.partlyRefreshed(refetched, failures.length);
  if (held === undefined) return said;
  const heldText = toHeldText(held, texts);
  return failures.length === 0 && again === 0 ? heldText : `${said} ${heldText}`;
}

function toHeldText({ count, asOfMs, newerAtMs }: Held, { held, language }: Texts): string {
  const second = newerAtMs - asOfMs < SHORT_MS ? "2-digit" : undefined;
  const toTime = (ms: number) =>
    new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second });
  return held(count, toTime(asOfMs), toTime(newerAtMs));
}
