import { createPrivateKey, type KeyObject } from "node:crypto";

/** Long enough that no two texts share it by chance. */
const PIECE = 24;
/** The lines of a PKCS#8 file before these hold the modulus, which is public. */
const FIRST_SECRET_LINE = 7;
const PRIVATE_PARTS = ["d", "p", "q", "dp", "dq", "qi"] as const;

/** The secrets of a run, detected in any encoding and any significant part. */
export type Marks = ReturnType<typeof createMarks>;

export function createMarks() {
  const pieces = new Map<string, string>();
  const add = (name: string, ...secrets: (string | Buffer)[]) => {
    for (const secret of secrets) for (const piece of listPieces(secret)) pieces.set(piece, name);
  };
  return {
    add,
    /** Adds a private key: its numbers, the lines of its file, and those of its encrypted file. */
    addKey(name: string, pem: string, passphrase?: string) {
      const key = createPrivateKey({ key: pem, passphrase });
      add(name, ...listKeyParts(key), ...(passphrase === undefined ? [] : toLines(pem)));
    },
    /** The names of the secrets in a text, each once. */
    find: (text: string) => [...new Set([...pieces].filter(([piece]) => text.includes(piece)).map(([, name]) => name))],
  };
}

function listKeyParts(key: KeyObject): (string | Buffer)[] {
  const jwk = key.export({ format: "jwk" });
  const lines = toLines(key.export({ type: "pkcs8", format: "pem" }).toString()).slice(FIRST_SECRET_LINE);
  return [...lines, ...PRIVATE_PARTS.map((name) => Buffer.from(jwk[name] ?? "", "base64url"))];
}

const toLines = (pem: string): string[] => pem.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("-"));

function listPieces(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret as string);
  const encoded = [0, 1, 2].map((skipped) =>
    bytes
      .subarray(skipped)
      .toString("base64")
      .replace(/.{0,3}=*$/, ""),
  );
  const urlSafe = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const plain =
    typeof secret === "string" ? [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)] : [];
  return [...new Set([...plain, ...encoded, ...urlSafe, bytes.toString("hex")].flatMap(cutIntoPieces))];
}

/** A short secret counts as a whole, a long one in parts, since a log may truncate it. */
function cutIntoPieces(form: string): string[] {
  if (form.length < 2 * PIECE) return form === "" ? [] : [form];
  return Array.from({ length: Math.floor(form.length / PIECE) }, (_, index) =>
    form.slice(index * PIECE, (index + 1) * PIECE),
  );
}
