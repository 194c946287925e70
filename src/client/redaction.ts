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

/**
 * Redacts a text whose secrets are not known: keys, tokens, assertions, pairing codes and every long mixed word.
 * Ids of companies and traces (UUIDs, 16 or 32 hex digits) stay.
 */
export function redactLikelySecrets(text: string): string {
  return text
    .replace(/-----BEGIN[\s\S]*?(?:-----END[^-]*-----|$)/g, REDACTED)
    .replace(/\b(bearer|basic)\s+[^\s,;"']+/gi, `$1 ${REDACTED}`)
    .replace(/\b(\w*(?:token|assertion|secret|password|code))(["']?\s*[=:]\s*["']?)[^\s&"',;]+/gi, `$1$2${REDACTED}`)
    .replace(/\b(token|assertion|secret|password)(\s+["']?)[\w.~+/=-]{16,}/gi, `$1$2${REDACTED}`) // no word is so long
    .replace(/[\w+/=~%-]+/g, (word) => (isLikelySecret(word) ? REDACTED : word));
}

function isLikelySecret(word: string): boolean {
  if (PAIRING_CODE.test(word) || word.startsWith("eyJ")) return true;
  const parts = BASE64.test(word) ? [word] : word.split("/");
  return parts.some(
    (part) => part.length >= SHORTEST_SECRET && /\d/.test(part) && /[A-Za-z]/.test(part) && !ID.test(part),
  );
}

const SHORTEST_SECRET = 20;
const PAIRING_CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32})$/i;
/** Upper case, lower case and digits, slashes included: no path has all three at this length. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/]{40,}={0,2}$/;
