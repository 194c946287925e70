/** Stands where a secret stood. */
const REDACTED = "…";

/** A UUID is shorter; an encoded token is longer. */
const LONGEST_WORD = 48;
const JWT = /[\w-]{8,}\.[\w-]{8,}/;

/**
 * Redacts a provider's JSON, since a cell shows its texts.
 *
 * @param body JSON of any shape, or undefined
 * @param secrets what the request carried; parts of 12 characters or more go as well, in any case and URL-encoding
 * @returns the same shape; JWTs and words above 48 characters are redacted too
 */
export function redactBody(body: unknown, secrets: readonly string[]): unknown {
  if (body === undefined) return undefined;
  const known = secrets.map((secret) => secret.toLowerCase());
  const isSecret = (word: string) => {
    const bare = decodeWord(word)
      .toLowerCase()
      .replace(/^\W+|\W+$/g, "");
    return (
      word.length > LONGEST_WORD || JWT.test(word) || known.some((text) => text.includes(bare) || bare.includes(text))
    );
  };
  const redact = (_: string, value: unknown) => {
    if (typeof value !== "string") return value;
    const others = secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), value);
    return others.replace(/[!-~]{12,}/g, (word) => (isSecret(word) ? REDACTED : word));
  };
  return JSON.parse(JSON.stringify(body, redact));
}

function decodeWord(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // a "%" that encodes nothing
  }
}
