/** Long enough that no word of a sentence or id is taken for a part of a secret, short enough that no useful part passes. */
const PIECE = 16;
/** Wherever a piece begins in a secret, one block of it lies at a multiple of 8 there. */
const BLOCK_STEP = 8;
const BLOCK = PIECE - BLOCK_STEP + 1;
const SHORTEST_ENCODED = 8;
const GAP = "...";

/** Cuts out of a text what it holds of some secrets. */
export type Cut = (text: string) => string;

/**
 * Creates the cut of secrets: whole, and every part of 16 characters or more, be they written plainly, as JSON writes
 * them, URL-encoded or in base64, where they stand at any place of what was encoded.
 */
export function createCut(secrets: readonly string[]): Cut {
  const forms = secrets.filter((secret) => secret !== "").flatMap(listForms);
  const short = forms.filter((form) => form.length < PIECE);
  const long = forms.filter((form) => form.length >= PIECE);
  return (text) => {
    const plain = unescapeJson(text);
    const pieces = listPieces(pickQuoted(long, plain));
    const cut = short.reduce((rest, form) => rest.replaceAll(form, GAP), cutPieces(plain, pieces));
    return cut === plain ? text : cut;
  };
}

/** Most texts quote nothing, and a look at a block in eight tells so at an eighth of the cost. */
function pickQuoted(forms: readonly string[], text: string): string[] {
  const blocks = new Set<string>();
  for (let at = 0; at + BLOCK <= text.length; at++) blocks.add(text.slice(at, at + BLOCK));
  return forms.filter((form) => {
    for (let at = 0; at + BLOCK <= form.length; at += BLOCK_STEP) {
      if (blocks.has(form.slice(at, at + BLOCK))) return true;
    }
    return false;
  });
}

function listPieces(forms: readonly string[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const form of forms) {
    for (let at = 0; at + PIECE <= form.length; at++) pieces.add(form.slice(at, at + PIECE));
  }
  return pieces;
}

function cutPieces(text: string, pieces: ReadonlySet<string>): string {
  if (pieces.size === 0) return text;
  let kept = "";
  let from = 0;
  for (let at = 0; at + PIECE <= text.length; at++) {
    if (!pieces.has(text.slice(at, at + PIECE))) continue;
    // A part that overlaps the one before, or touches it, leaves no second gap.
    if (at > from || from === 0) kept += text.slice(from, at) + GAP;
    from = at + PIECE;
    while (from < text.length && pieces.has(text.slice(from - PIECE + 1, from + 1))) from++;
    at = from - 1;
  }
  return kept + text.slice(from);
}

function listForms(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const lowerUrl = url.replace(/%../g, (written) => written.toLowerCase());
  const encoded = [0, 1, 2].map((offset) => toBase64(secret, offset)).filter((form) => form.length >= SHORTEST_ENCODED);
  const urlSafe = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), url, lowerUrl, ...encoded, ...urlSafe])];
}

/** What base64 makes of a secret behind 0, 1 or 2 other bytes, less the characters that it shares with its neighbours. */
function toBase64(secret: string, offset: number): string {
  const bytes = Buffer.from("\0".repeat(offset) + secret);
  const wholeBytes = bytes.length - (bytes.length % 3);
  return bytes.toString("base64").slice(offset === 0 ? 0 : 4, (wholeBytes / 3) * 4);
}

/** JSON may write a character in several ways; those that would change its structure stay escaped. */
function unescapeJson(text: string): string {
  return text
    .replaceAll("\\/", "/")
    .replace(/\\u00([2-7][0-9a-f])/gi, (written, hex: string) =>
      /22|5c/i.test(hex) ? written : String.fromCharCode(Number.parseInt(hex, 16)),
    );
}
