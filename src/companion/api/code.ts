import { createHash, randomBytes, randomInt } from "node:crypto";

/** Without 0, 1, I and O, which people mistake for each other; 32 of them make five bits a character. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 8;
const NAME_LENGTH = 4;
const SECRET_BYTES = 32;

/** How long a code is good, whoever it is for. */
export const CODE_LIFETIME_MS = 5 * 60_000;

/** Makes the code of a pairing: "ABCD-EFGH". */
export function makeCode(): string {
  const code = draw(LENGTH);
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Makes a name by which a person tells one page from others: "K7QD". */
export const makeName = (): string => draw(NAME_LENGTH);

/** Makes a secret for one page, in base64url: 256 random bits. */
export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const draw = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/**
 * Gives what is kept of a code, which serves for one page alone.
 * @param page SHA-256 of that page's secret, in hex.
 */
export const toCodeHash = (code: string, page: string): string => toHash([toTyped(code), page].join(" "));

/** Gives the same for a code as a page sends it: as a person typed it, then a dot and the page's secret. */
export function toSentHash(sent: string): string {
  const [code = "", secret = ""] = sent.split(".");
  return toCodeHash(code, toHash(secret));
}

/** Reads what a person typed: case, blanks and dashes do not count. */
export const toTyped = (written: string): string => written.toUpperCase().replace(/[\s-]/g, "");

/** SHA-256, in hex. */
export function toHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
