/** Long enough to spare words and ids, short enough to catch every useful part of a secret. */
const PIECE = 16;
const SHORTEST_ENCODED = 8;
const REDACTED = "...";

/** Replaces secrets in a text by "...". */
export type Redact = (text: string) => string;

/**
 * Creates the redaction of known secrets: of each as a whole, and of each part of 16 characters or more.
 * It finds them plain, escaped as in JSON, URL-encoded, and in base64 at any offset.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.filter((secret) => secret !== "").flatMap(listForms);
  const short = forms.filter((form) => form.length < PIECE);
  const long = forms.filter((form) => form.length >= PIECE);
  // Listed once, and only where an error is passed on.
  let pieces: ReadonlySet<string> | undefined;
  return (text) => {
    const plain = unescapeJson(text);
    pieces ??= listPieces(long);
    const redacted = short.reduce((rest, form) => rest.replaceAll(form, REDACTED), redactPieces(plain, pieces));
    return redacted === plain ? text : redacted;
  };
}

function listPieces(forms: readonly string[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const form of forms) {
    for (let at = 0; at + PIECE <= form.length; at++) pieces.add(form.slice(at, at + PIECE));
  }
  return pieces;
}

function redactPieces(text: string, pieces: ReadonlySet<string>): string {
  if (pieces.size === 0) return text;
  let redacted = "";
  let from = 0;
  for (let at = 0; at + PIECE <= text.length; at++) {
    if (!pieces.has(text.slice(at, at + PIECE))) continue;
    // A part that overlaps the one before, or touches it, leaves no second gap.
    if (at > from || from === 0) redacted += text.slice(from, at) + REDACTED;
    from = at + PIECE;
    while (from < text.length && pieces.has(text.slice(from - PIECE + 1, from + 1))) from++;
    at = from - 1;
  }
  return redacted + text.slice(from);
}

function listForms(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const lowerUrl = url.replace(/%../g, (written) => written.toLowerCase());
  const encoded = [0, 1, 2].map((offset) => toBase64(secret, offset)).filter((form) => form.length >= SHORTEST_ENCODED);
  const urlSafe = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), url, lowerUrl, ...encoded, ...urlSafe])];
}

/** Encodes a secret behind 0, 1 or 2 other bytes, without the characters shared with its neighbours. */
function toBase64(secret: string, offset: number): string {
  const bytes = Buffer.from("\0".repeat(offset) + secret);
  const wholeBytes = bytes.length - (bytes.length % 3);
  return bytes.toString("base64").slice(offset === 0 ? 0 : 4, (wholeBytes / 3) * 4);
}

/** JSON can escape any character; quotes and backslashes stay escaped, since they are its structure. */
function unescapeJson(text: string): string {
  return text
    .replaceAll("\\/", "/")
    .replace(/\\u00([2-7][0-9a-f])/gi, (written, hex: string) =>
      /22|5c/i.test(hex) ? written : String.fromCharCode(Number.parseInt(hex, 16)),
    );
}
