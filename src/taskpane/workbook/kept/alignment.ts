/** Lines that are compared each with each; beyond that they count as changed. */
const MOST_PAIRS = 4_000_000;

/** Where a row or column is now, unless it was deleted or that cannot be told. */
export type Line = number | "gone" | "unknown";

/** Finds lines again after others were inserted or deleted among them, by what they show. */
export function alignLines(before: readonly string[], now: readonly string[]): Line[] {
  if (before.length === now.length) return before.map((_, line) => line);
  let start = 0;
  while (start < before.length && before[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, now.length) - start;
  while (end < most && before.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = alignMiddle(before.slice(start, before.length - end), now.slice(start, now.length - end));
  return before.map((_, line) => {
    if (line < start) return line;
    if (line >= before.length - end) return line + now.length - before.length;
    const found = middle[line - start] ?? "unknown";
    return typeof found === "number" ? found + start : found;
  });
}

/** Between two lines that are known: as many as there were are the same ones, changed; none means that they are gone. */
function alignMiddle(before: readonly string[], now: readonly string[]): Line[] {
  if (before.length * now.length > MOST_PAIRS) return before.map(() => "unknown");
  const known = findCommon(before, now);
  const aligned: Line[] = [];
  let end = 0;
  for (let line = 0; line < before.length; ) {
    let next = line;
    while (next < before.length && known[next] === null) next += 1;
    const room = (known[next] ?? now.length) - end;
    for (let each = line; each < next; each += 1) {
      if (room === next - line) aligned.push(end + each - line);
      else aligned.push(room === 0 ? "gone" : "unknown");
    }
    end += room;
    if (next < before.length) {
      aligned.push(end);
      end += 1;
    }
    line = next + 1;
  }
  return aligned;
}

/** The longest common sequence; null for lines that are not in it. */
function findCommon(before: readonly string[], now: readonly string[]): (number | null)[] {
  const width = now.length + 1;
  const longest = new Uint16Array((before.length + 1) * width);
  const at = (one: number, other: number) => longest[one * width + other] as number;
  for (let one = before.length - 1; one >= 0; one -= 1) {
    for (let other = now.length - 1; other >= 0; other -= 1) {
      longest[one * width + other] =
        before[one] === now[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const found: (number | null)[] = before.map(() => null);
  for (let one = 0, other = 0; one < before.length && other < now.length; ) {
    if (before[one] === now[other]) {
      found[one] = other;
      one += 1;
      other += 1;
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return found;
}
