import { webcrypto } from "node:crypto";
import { jest } from "@jest/globals";

/** Makes two pairs of keys for all certificates of a test file from now on: keys are slow to make. Serial numbers differ. */
export function reuseCertificateKeys(): void {
  const { subtle } = webcrypto;
  const make = subtle.generateKey.bind(subtle) as (...words: unknown[]) => Promise<unknown>;
  const pairs: Promise<unknown>[] = [];
  let count = 0;
  const reuse = (...words: unknown[]) => {
    const at = count++ % 2; // a certificate's own, and its authority's
    pairs[at] ??= make(...words);
    return pairs[at];
  };
  jest.spyOn(subtle, "generateKey").mockImplementation(reuse as never);
}
