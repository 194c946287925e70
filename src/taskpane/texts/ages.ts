/** How long ago something was, in the largest unit that counts: "5 minutes ago". */
export function toAgo(ageMs: number, language: string): string {
  const minutes = Math.floor(Math.max(0, ageMs) / 60_000);
  const [number, unit] = AGES.map(([size, name]) => [Math.floor(minutes / size), name] as const).find(
    ([whole]) => whole > 0,
  ) ?? [0, "minute" as const];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-number, unit);
}

const AGES = [
  [1440, "day"],
  [60, "hour"],
  [1, "minute"],
] as const;
