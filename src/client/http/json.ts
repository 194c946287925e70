/** Ends the current task, so that the page draws and takes input. */
export type Pause = () => Promise<void>;

/** Characters of an answer that one task takes: a page of a list with all its fields has some millions. */
export const CHARACTERS_A_TASK = 400_000;

/** Parses JSON, a long text in a task of its own; undefined for invalid text. */
export async function parseJson(text: string, pause: Pause): Promise<unknown> {
  if (text.length < CHARACTERS_A_TASK) return parse(text);
  await pause();
  const value = parse(text);
  await pause();
  return value;
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
