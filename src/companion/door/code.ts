import { createHash, randomInt } from "node:crypto";

/** Without 0, 1, I and O, which people mistake for each other; 32 of them make five bits a character. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 8;

/** How long a code is good, whoever it is for. */
export const CODE_LIFETIME_MS = 5 * 60_000;

/** Makes the code of a pairing: "ABCD-EFGH". */
export function makeCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Gives what is kept of a code, as a person typed it: case, blanks and dashes do not count. */
export function toCodeHash(written: string): string {
  return toHash(written.toUpperCase().replace(/[\s-]/g, ""));
}

/** SHA-256, in hex. */
export function toHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
