import crypto from "node:crypto";
import { promisify } from "node:util";
import { jest } from "@jest/globals";

type Make = (...words: unknown[]) => Promise<unknown>;

/** Makes two things, and gives them in turn. */
function alternate(make: Make): Make {
  const made: Promise<unknown>[] = [];
  let count = 0;
  return (...words) => {
    const at = count++ % 2;
    made[at] ??= make(...words);
    return made[at];
  };
}

/**
 * Makes two pairs of keys for all certificates of a test file from now on, since keys are slow to make: a certificate's
 * own, and its authority's. Serial numbers differ.
 */
export function reuseCertificateKeys(): void {
  const { subtle } = crypto.webcrypto;
  const make = subtle.generateKey.bind(subtle) as Make;
  jest.spyOn(subtle, "generateKey").mockImplementation(alternate(make) as never);
}

/** Makes two pairs of keys of 2048 bits for a test file from now on, of which each start of a companion takes one. */
export function reuseKeys(): void {
  const make = promisify(crypto.generateKeyPair) as Make;
  const reuse = alternate(make);
  const pick: Make = (kind, options) =>
    (options as { modulusLength: number }).modulusLength === 2048 ? reuse(kind, options) : make(kind, options);
  Object.assign(jest.spyOn(crypto, "generateKeyPair"), { [promisify.custom]: pick });
}
