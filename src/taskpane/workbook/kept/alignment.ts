/** Lines that are compared each with each; beyond that they count as changed. */
const MOST_PAIRS = 4_000_000;

/**
 * Finds lines again after others were inserted or deleted among them, by what they show.
 *
 * @returns for each line where it is now; null where it is not there any more, or cannot be told
 */
export function alignLines(before: readonly string[], now: readonly string[]): (number | null)[] {
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
    const found = middle[line - start] ?? null;
    return found === null ? null : found + start;
  });
}

function alignMiddle(before: readonly string[], now: readonly string[]): (number | null)[] {
  if (before.length * now.length > MOST_PAIRS) return before.map(() => null);
  const found = findCommon(before, now);
  // As many changed lines as there were between two that are known: each is the one that it was.
  for (let line = 0; line < before.length; ) {
    let next = line;
    while (next < before.length && found[next] === null) next += 1;
    const first = line === 0 ? 0 : (found[line - 1] as number) + 1;
    const last = found[next] ?? now.length;
    if (last - first === next - line) for (let each = line; each < next; each += 1) found[each] = first + each - line;
    line = next + 1;
  }
  return found;
}

/** The longest common sequence. */
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
