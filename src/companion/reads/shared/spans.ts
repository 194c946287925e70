const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const LARGEST_BLANK = 0x20;

/** Where a value stands in a text: its first byte, and the one behind its last. */
type Span = readonly [from: number, to: number];

/**
 * Finds the elements of one array that an object has, in a text that JSON.parse reads. No byte of a longer character in
 * UTF-8 looks like a quote or a bracket, so bytes are enough.
 * @returns Nothing where the text is no object, or has not exactly one array of that name.
 */
export function findElements(text: Buffer, name: string): readonly Span[] | undefined {
  let at = skipBlanks(text, 0);
  if (text[at] !== OPENING_BRACE) return undefined;
  const arrays: number[] = [];
  at = skipBlanks(text, at + 1);
  while (at < text.length && text[at] !== CLOSING_BRACE) {
    const nameEnd = skipString(text, at);
    const from = skipBlanks(text, skipMark(text, nameEnd, COLON));
    if (JSON.parse(text.toString("utf8", at, nameEnd)) === name) arrays.push(from);
    at = skipMark(text, skipValue(text, from), COMMA);
  }
  const [only] = arrays;
  return only === undefined || arrays.length > 1 || text[only] !== OPENING_BRACKET ? undefined : listItems(text, only);
}

function listItems(text: Buffer, from: number): readonly Span[] {
  const items: Span[] = [];
  let at = skipBlanks(text, from + 1);
  while (at < text.length && text[at] !== CLOSING_BRACKET) {
    const end = skipValue(text, at);
    items.push([at, end]);
    at = skipMark(text, end, COMMA);
  }
  return items;
}

/** Skips a mark with the blanks around it, or the blanks where there is none. */
function skipMark(text: Buffer, from: number, mark: number): number {
  const at = skipBlanks(text, from);
  return text[at] === mark ? skipBlanks(text, at + 1) : at;
}

function skipBlanks(text: Buffer, from: number): number {
  let at = from;
  while (at < text.length && text[at]! <= LARGEST_BLANK) at += 1;
  return at;
}

function skipValue(text: Buffer, from: number): number {
  if (text[from] === QUOTE) return skipString(text, from);
  if (text[from] === OPENING_BRACE || text[from] === OPENING_BRACKET) return skipNested(text, from);
  let at = from;
  while (at < text.length && !isEnd(text[at]!)) at += 1;
  return at;
}

const isEnd = (byte: number): boolean =>
  byte <= LARGEST_BLANK || byte === COMMA || byte === CLOSING_BRACE || byte === CLOSING_BRACKET;

function skipNested(text: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const byte = text[at];
    if (byte === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at += 1;
    if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
    if (depth === 0) return at;
  }
  return at;
}

function skipString(text: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const end = text.indexOf(QUOTE, at);
    if (end < 0) return text.length;
    let before = end;
    while (text[before - 1] === BACKSLASH) before -= 1;
    at = end + 1;
    if ((end - before) % 2 === 0) return at;
  }
}
