/** What a body says, or why it says nothing for certain. */
type JsonReading = { value: unknown } | "no JSON" | "a name twice";

/**
 * Reads JSON as the pane does, and refuses what another reader could read in another way: an object that has a name twice.
 * A byte order mark and the numbers NaN and Infinity are passed over, as the pane passes over them.
 */
export function readUnambiguousJson(body: Buffer): JsonReading {
  const text = new TextDecoder().decode(body);
  const value = parse(text) ?? parse(withoutOddNumbers(text));
  if (value === undefined) return "no JSON";
  let members = 0;
  for (const _member of eachMember(value)) members += 1;
  // Of a name that stands twice the parsed object has one member, the text two colons.
  return members === countColons(text) ? { value } : "a name twice";
}

/** Gives the members of all objects in a value, at any depth. */
export function* eachMember(value: unknown): Iterable<readonly [name: string, member: unknown]> {
  for (const each of eachObject(value)) yield* Object.entries(each);
}

/** Gives all objects in a value that are no lists, at any depth. */
export function* eachObject(value: unknown): Iterable<object> {
  const open = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== "object" || each === null) continue;
    if (!Array.isArray(each)) yield each;
    for (const member of Object.values(each)) open.push(member);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The pane reads these as texts: they spoil their own cell, and say nothing of a company. */
function withoutOddNumbers(text: string): string {
  let isInText = false;
  return text.replace(/\\.|"|-?\b(?:NaN|Infinity)\b/g, (token) => {
    if (token === '"') isInText = !isInText;
    return isInText || token === '"' || token.startsWith("\\") ? token : "null";
  });
}

/** Counts the colons outside texts: JSON has one for each member. */
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

/** Reads what a text says as a JSON object, or an object with nothing in it. */
export function readJsonObject(text: Buffer | string | undefined): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(text)));
  } catch {
    return {};
  }
}
