/** Ends the current task, so that the page draws and takes input. */
export type Pause = () => Promise<void>;

/** Characters that are read in one task: an answer of some megabytes would take one that people notice. */
export const CHARACTERS_A_TASK = 400_000;

/**
 * Parses JSON; undefined for invalid text. The list of a long answer is parsed part by part, each in a task of its own.
 *
 * @param mostCharacters length from which a text has parts, and after which the next element begins another one
 */
export async function parseJson(text: string, pause: Pause, mostCharacters = CHARACTERS_A_TASK): Promise<unknown> {
  if (text.length < mostCharacters) return parse(text);
  const [head] = LIST_BEGINS.exec(text) ?? [];
  await pause();
  if (head === undefined) return parse(text);
  const rows: unknown[] = [];
  for (let from = head.length; ; ) {
    const end = findEnd(text, from, mostCharacters);
    const part = parse(`[${text.slice(from, end)}]`);
    const isCut = text[end] === ",";
    // An empty list is JSON, nothing beside a comma is not.
    if (!Array.isArray(part) || (part.length === 0 && (isCut || rows.length > 0))) return undefined;
    for (const row of part) rows.push(row);
    await pause();
    if (!isCut) return joinList(text, head, rows, text.slice(end));
    from = end + 1;
  }
}

/** The beginning of an answer with its list (§2.1), where only plain fields come before that. */
const LIST_BEGINS = /^\s*\{(?:\s*"\w+"\s*:\s*(?:-?\d[\d.]*|null|true|false|"[^"\\]*")\s*,)*\s*"data"\s*:\s*\[/;

/** The last list counts where there are several. */
function joinList(text: string, head: string, rows: readonly unknown[], tail: string): unknown {
  if (tail.includes('"data"')) return parse(text);
  const answer = parse(head + tail);
  if (typeof answer === "object" && answer !== null) (answer as { data: unknown }).data = rows;
  return answer;
}

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'",\\[]{}'].map((each) => each.charCodeAt(0));

/** Finds the comma behind the element in which the part becomes long enough, or the end of the list or text. */
function findEnd(text: string, from: number, mostCharacters: number): number {
  let depth = 0;
  let isInText = false;
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInText) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) isInText = false;
    } else if (character === QUOTE) isInText = true;
    else if (character === OPEN || character === OPEN_LIST) depth++;
    else if (character === CLOSE || character === CLOSE_LIST) {
      if (depth === 0) return at;
      depth--;
    } else if (character === COMMA && depth === 0 && at - from >= mostCharacters) return at;
  }
  return text.length;
}

function parse(text: string): unknown {
  const exact = MAY_OVERFLOW.test(text) ? undefined : parseExactly(text);
  return exact === undefined ? parseExactly(quoteOddNumbers(text)) : exact;
}

function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds numbers that JSON.parse may read as Infinity. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3,}\s*[,\]}]|(?<!\d)\d{309}/;

const NUMBER = /^-?(NaN|Infinity|\d[\d.eE+-]*)$/;

/** Quotes NaN, Infinity and 1e400, so that each spoils its own cell instead of the whole answer. */
function quoteOddNumbers(text: string): string {
  let isInText = false;
  return text.replace(/\\.|"|[\w.+-]+/g, (token) => {
    if (token === '"') isInText = !isInText;
    return !isInText && NUMBER.test(token) && !Number.isFinite(Number(token)) ? `"${token}"` : token;
  });
}
