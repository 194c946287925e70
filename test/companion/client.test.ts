import { describe, expect, it } from "@jest/globals";
import { createKeySigner } from "../../src/companion/assertion";
import { pickSigner } from "../../src/companion/client";
import { privateKey } from "./test-configuration";

const newest = createKeySigner("kid-2", privateKey);
const previous = createKeySigner("kid-1", privateKey);

describe("the signing key", () => {
  it.each([
    ["nothing was refused", undefined, newest],
    ["the newest was refused", "kid-2", previous],
    ["the previous one was refused", "kid-1", newest],
    ["a key was refused that is none of them", "kid-0", newest],
  ])("of two is the right one when %s", (_, refusedKeyId, expected) => {
    expect(pickSigner({ clientId: "client-1", signers: [newest, previous] }, refusedKeyId)).toBe(expected);
  });

  it.each([[undefined], ["kid-2"]])("is the only one, when %p was refused", (refusedKeyId) => {
    expect(pickSigner({ clientId: "client-1", signers: [newest] }, refusedKeyId)).toBe(newest);
  });
});
