import { parseJson } from "../../companion/json";

/** The value of a body, or why it has no certain one. */
type JsonReading = { value: unknown } | "no JSON" | "a name twice";

/**
 * Reads JSON as the pane does, and refuses an object with a duplicate name, which readers treat differently. It accepts
 * a byte order mark, NaN and Infinity, as the pane does.
 */
export function readUnambiguousJson(body: Buffer): JsonReading {
  const text = decode(body);
  if (text === undefined) return "no JSON";
  const value = parseJson(text) ?? parseJson(withoutOddNumbers(text));
  if (value === undefined) return "no JSON";
  let members = 0;
  for (const _member of eachMember(value)) members += 1;
  // For a duplicate name the parsed object has one member and the text two colons.
  return members === countColons(text) ? { value } : "a name twice";
}

/** Decodes UTF-8; undefined for bytes that are none, which would become other text. */
function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Lists the members of all objects in a value, at any depth. */
export function* eachMember(value: unknown): Iterable<readonly [name: string, member: unknown]> {
  for (const each of eachObject(value)) yield* Object.entries(each);
}

/** Lists all objects in a value, at any depth; arrays are not among them. */
export function* eachObject(value: unknown): Iterable<object> {
  const open = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== "object" || each === null) continue;
    if (!Array.isArray(each)) yield each;
    for (const member of Object.values(each)) open.push(member);
  }
}

/** The pane reads these as texts, which spoil only their own cell. */
function withoutOddNumbers(text: string): string {
  let isInText = false;
  return text.replace(/\\.|"|-?\b(?:NaN|Infinity)\b/g, (token) => {
    if (token === '"') isInText = !isInText;
    return isInText || token === '"' || token.startsWith("\\") ? token : "null";
  });
}

/** Counts the colons outside strings: JSON has one per member. */
function countColons(text: string): number {
  let isInText = false;
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInText && sign === "\\") at += 1;
    else if (sign === '"') isInText = !isInText;
    else if (!isInText && sign === ":") colons += 1;
  }
  return colons;
}

/** Parses a JSON object; gives an empty one for anything else. */
export function readJsonObject(text: Buffer | string | undefined): Record<string, unknown> {
  return Object(parseJson(Buffer.isBuffer(text) ? (decode(text) ?? "") : String(text)));
}
