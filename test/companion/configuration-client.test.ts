import { createPrivateKey, verify } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { itOnPosix } from "../support/posix";
import { COMPLETE, createFiles, otherKey, PEM, PUBLIC_PEM, readMistakes, toPem } from "./complete-settings";
import { publicKey } from "./test-configuration";

const PASSPHRASE = "a passphrase of tests";
const write = createFiles();
const encrypt = (pem: string) =>
  createPrivateKey(pem)
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: PASSPHRASE })
    .toString();
const { FEED_PRIVATE_KEY, ...KEYLESS } = COMPLETE;
const ENCRYPTED = { ...KEYLESS, FEED_PRIVATE_KEY: encrypt(PEM) };
const readSigners = (settings: NodeJS.ProcessEnv) => readConfiguration(settings).provider!.client.signers;

describe("the passphrase", () => {
  it("opens the key as a text", () => {
    const [{ publicKey: read }] = readSigners({ ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE });
    expect(read.equals(publicKey)).toBe(true);
  });

  it.each(["", "\n", "\r\n"])("opens the key from a file that ends with %j", (ending) => {
    const path = write(`passphrase-${ending.length}`, PASSPHRASE + ending);
    const [{ publicKey: read }] = readSigners({ ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE_FILE: path });
    expect(read.equals(publicKey)).toBe(true);
  });

  it("keeps blanks and further line ends of its file", () => {
    for (const text of [`${PASSPHRASE} \n`, `${PASSPHRASE}\n\n`, ` ${PASSPHRASE}`]) {
      const settings = { ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE_FILE: write("passphrase-blank", text) };
      expect(readMistakes(settings)).toEqual([expect.stringContaining("does not open the key")]);
    }
  });

  itOnPosix("is refused from a file that others may read, that is empty or missing", () => {
    const [open, empty] = [write("passphrase-open", PASSPHRASE, 0o644), write("passphrase-empty", "\n")];
    const read = (path: string) => readMistakes({ ...COMPLETE, FEED_PRIVATE_KEY_PASSPHRASE_FILE: path });
    expect(read(open)).toEqual([
      `FEED_PRIVATE_KEY_PASSPHRASE_FILE: Others on this machine may read the passphrase file. Run: chmod 600 ${open}`,
    ]);
    expect(read(empty)).toEqual([expect.stringContaining("is empty")]);
    expect(read("/absent")).toEqual([expect.stringContaining("cannot be read (ENOENT)")]);
  });

  it("is refused if it is set twice, and is never quoted", () => {
    const path = write("passphrase-twice", PASSPHRASE);
    const settings = { FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE, FEED_PRIVATE_KEY_PASSPHRASE_FILE: path };
    const mistakes = readMistakes({ ...COMPLETE, ...settings });
    expect(mistakes).toEqual([expect.stringContaining("keep one")]);
    expect(mistakes.join()).not.toContain(PASSPHRASE);
  });
});

describe("the previous key", () => {
  const PREVIOUS = {
    FEED_PREVIOUS_KEY_ID: "kid-0",
    FEED_PREVIOUS_PRIVATE_KEY_FILE: write("former.pem", toPem(otherKey)),
  };

  it("comes after the newest", () => {
    expect(readSigners({ ...COMPLETE, ...PREVIOUS }).map(({ keyId }) => keyId)).toEqual(["kid-1", "kid-0"]);
  });

  it("is opened by the same passphrase", () => {
    const path = write("former-encrypted.pem", encrypt(toPem(otherKey)));
    const settings = { ...ENCRYPTED, ...PREVIOUS, FEED_PREVIOUS_PRIVATE_KEY_FILE: path };
    expect(readSigners({ ...settings, FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE })).toHaveLength(2);
    expect(readMistakes({ ...settings, FEED_PRIVATE_KEY: PEM })).toEqual([
      expect.stringMatching(/^FEED_PREVIOUS_PRIVATE_KEY_FILE: .*encrypted/),
    ]);
  });

  it("is refused if it is the current key, whatever its id and file", () => {
    const path = write("present-again.pem", PEM);
    expect(readMistakes({ ...COMPLETE, ...PREVIOUS, FEED_PREVIOUS_PRIVATE_KEY_FILE: path })).toEqual([
      expect.stringMatching(/^FEED_PREVIOUS_PRIVATE_KEY_FILE holds the present key once more/),
    ]);
  });

  it.each(["FEED_PREVIOUS_KEY_ID", "FEED_PREVIOUS_PRIVATE_KEY_FILE"])("is refused without %s", (name) => {
    expect(readMistakes({ ...COMPLETE, ...PREVIOUS, [name]: "" })).toEqual([
      expect.stringMatching(`^${name} is missing`),
    ]);
  });

  it("is refused under the newest key's id", () => {
    expect(readMistakes({ ...COMPLETE, ...PREVIOUS, FEED_PREVIOUS_KEY_ID: "kid-1" })).toEqual([
      expect.stringMatching(/^FEED_PREVIOUS_KEY_ID is FEED_KEY_ID once more/),
    ]);
  });

  itOnPosix("is refused from a file that others may read", () => {
    const path = write("former-open.pem", PEM, 0o640);
    expect(readMistakes({ ...COMPLETE, ...PREVIOUS, FEED_PREVIOUS_PRIVATE_KEY_FILE: path })).toEqual([
      `FEED_PREVIOUS_PRIVATE_KEY_FILE: Others on this machine may read the key file. Run: chmod 600 ${path}`,
    ]);
  });
});

describe("a signing program", () => {
  const command = JSON.stringify(["openssl", "dgst", "-sha256", "-sign", write("program.pem", PEM)]);
  const EXTERNAL = {
    ...KEYLESS,
    FEED_SIGNER_COMMAND: command,
    FEED_PUBLIC_KEY_FILE: write("public.pem", PUBLIC_PEM, 0o644),
  };

  it("replaces the private key, with the public key beside it", async () => {
    const [signer] = readSigners(EXTERNAL);
    const bytes = Buffer.from("bytes");
    expect(signer.keyId).toBe("kid-1");
    expect(verify("sha256", bytes, publicKey, await signer.sign(bytes))).toBe(true);
  });

  it("can follow a key of a file", () => {
    const settings = {
      FEED_PREVIOUS_KEY_ID: "kid-0",
      FEED_PREVIOUS_PRIVATE_KEY_FILE: write("before.pem", toPem(otherKey)),
    };
    expect(readSigners({ ...EXTERNAL, ...settings }).map(({ keyId }) => keyId)).toEqual(["kid-1", "kid-0"]);
  });

  it.each(["openssl dgst canary", '"openssl"', "[]", '[""]', '["openssl", 3]', "{}"])(
    "is refused as %s, which is not quoted",
    (text) => {
      const mistakes = readMistakes({ ...EXTERNAL, FEED_SIGNER_COMMAND: text });
      expect(mistakes).toEqual([expect.stringMatching(/^FEED_SIGNER_COMMAND: It must be a JSON array of words/)]);
      expect(mistakes[0]).not.toContain("canary");
    },
  );

  it("is refused without its public key", () => {
    expect(readMistakes({ ...EXTERNAL, FEED_PUBLIC_KEY_FILE: undefined })).toEqual([
      expect.stringMatching(/^FEED_PUBLIC_KEY_FILE is missing/),
    ]);
  });

  itOnPosix.each([
    ["a private key", PEM, 0o600, "This is a private key"],
    ["a text", "hello", 0o644, "not a PEM public key"],
    ["a file that others may write", PUBLIC_PEM, 0o666, "chmod go-w"],
  ])("is refused with %s for a public key", (_what, text, mode, sentence) => {
    const path = write("wrong-public.pem", text, mode);
    expect(readMistakes({ ...EXTERNAL, FEED_PUBLIC_KEY_FILE: path })).toEqual([
      expect.stringMatching(`^FEED_PUBLIC_KEY_FILE: .*${sentence}`),
    ]);
  });

  it("is refused beside a private key", () => {
    expect(readMistakes({ ...EXTERNAL, FEED_PRIVATE_KEY })).toEqual([
      "FEED_PRIVATE_KEY and FEED_SIGNER_COMMAND are set together: keep one.",
    ]);
  });

  it("is required if its public key is set", () => {
    expect(readMistakes({ ...EXTERNAL, FEED_SIGNER_COMMAND: undefined, FEED_PRIVATE_KEY })).toEqual([
      expect.stringMatching(/^FEED_PUBLIC_KEY_FILE belongs to FEED_SIGNER_COMMAND/),
    ]);
  });
});

it.each(["FEED_CLIENT_ID", "FEED_KEY_ID"])(
  "%s is one line of text; a key pasted there is refused and not shown",
  (name) => {
    for (const text of [PEM, "x".repeat(201), "client\u0007"]) {
      expect(readMistakes({ ...COMPLETE, [name]: text })).toEqual([
        `${name} must be one line of at most 200 printable characters.`,
      ]);
    }
  },
);
