/** What stands in the place of a secret. */
const REMOVED = "[removed]";

/**
 * Takes out of a text whatever may be a secret: keys, tokens, assertions, pairing codes. What is long and mixed goes
 * as well, since nobody can tell a token from it; ids of companies and traces (UUIDs, 16 or 32 hex digits) stay.
 */
export function withoutSecrets(text: string): string {
  return text
    .replace(/-----BEGIN[\s\S]*?(?:-----END[^-]*-----|$)/g, REMOVED)
    .replace(/\b(bearer|basic)\s+[^\s,;"']+/gi, `$1 ${REMOVED}`)
    .replace(/\b(\w*(?:token|assertion|secret|password|code))(["']?\s*[=:]\s*["']?)[^\s&"',;]+/gi, `$1$2${REMOVED}`)
    .replace(/\b(token|assertion|secret|password)(\s+["']?)[\w.~+/=-]{16,}/gi, `$1$2${REMOVED}`) // no word is so long
    .replace(/[\w+/=~%-]+/g, (word) => (isSecret(word) ? REMOVED : word));
}

function isSecret(word: string): boolean {
  if (PAIRING_CODE.test(word) || word.startsWith("eyJ")) return true;
  const parts = BASE64.test(word) ? [word] : word.split("/");
  return parts.some(
    (part) => part.length >= SHORTEST_SECRET && /\d/.test(part) && /[A-Za-z]/.test(part) && !ID.test(part),
  );
}

const SHORTEST_SECRET = 20;
const PAIRING_CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32})$/i;
/** Upper and lower case and digits through the slashes, as no path has them. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/]{40,}={0,2}$/;
