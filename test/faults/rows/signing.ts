import { type Fault, inFile } from "../fault";

const signing = inFile("test/faults/signing.test.ts");
const pairing = inFile("test/e2e/pairing.test.ts");
const key = inFile("test/companion/key.test.ts");
const refusals = inFile("test/companion/process-refusals.test.ts");
const trusted = inFile("test/companion/trusted-file.test.ts");

const TOKEN = "src/client/auth/token.ts";

const COMPANION: readonly Fault[] = [
  {
    fault: "the companion is down",
    injected: "the companion stopped under a connected page",
    seen: "`#N/A` `FEED_SIGNER_UNREACHABLE`; the pane says how to start it",
    tests: [
      signing("says in its cells that its companion is down"),
      inFile("test/taskpane/settings.test.tsx")("reports that the companion does not answer, and what to do"),
      inFile("test/e2e/playground-faults.test.ts")(
        "is named by a new formula as unreachable, although the token is valid",
      ),
    ],
    guard: {
      file: "src/client/http.ts",
      from: 'if (isToCompanion) throw new SignerError("FEED_SIGNER_UNREACHABLE", COMPANION_DOWN);',
      to: "",
    },
  },
  {
    fault: "a page is not paired",
    injected: "a page without a pairing",
    seen: "`#N/A` `FEED_SIGNER_REFUSED`; the pane asks for the code",
    tests: [
      signing("that is not paired says so in its cells, and nothing is signed for it"),
      pairing("asks for the code, accepts it as it is typed, and connects automatically from then on"),
    ],
    guard: {
      file: "src/companion/api/guards.ts",
      from: 'if (pairing !== null || when === "never") return undefined;',
      to: "return undefined;",
    },
  },
  {
    fault: "a pairing is revoked",
    injected: "`unpair` under a connected page",
    seen: "`#N/A` `FEED_SIGNER_REFUSED`; the pane asks for the code",
    tests: [
      signing("says in its cells that its pairing was revoked, and nothing is signed for it"),
      pairing("asks for a code when the pairing has ended, and cells say so until there is a new one"),
    ],
    guard: {
      file: "src/companion/api/pairing-state.ts",
      from: "id !== undefined && pairing.id !== id",
      to: "pairing.id !== id",
    },
  },
  {
    fault: "the key file is missing",
    injected: "a path where nothing is; no path at all",
    seen: "the companion does not start, and says which file or setting",
    tests: [
      key("is refused by name if its file does not exist"),
      refusals("a key file that is not there"),
      inFile("test/companion/process.test.ts")("is 3 when settings are incomplete, with all missing ones: %s"),
    ],
    guard: {
      file: "src/companion/trusted-file.ts",
      from: "const { code } = error as NodeJS.ErrnoException;",
      to: 'const code = "unknown";',
    },
  },
  {
    fault: "the passphrase is wrong",
    injected: "an encrypted key with another passphrase, and with none",
    seen: "the companion does not start, and names the setting",
    tests: [
      key("is refused with the setting to check if the passphrase is missing or wrong"),
      refusals("a wrong passphrase"),
      refusals("an encrypted key and no passphrase"),
    ],
    guard: { file: "src/companion/key.ts", from: "if (!passphrase)", to: "if (false)" },
  },
  {
    fault: "others may read the key file",
    injected: "a key file of mode 0640, 0604 and 0620",
    seen: "the companion does not start, and prints the chmod",
    tests: [
      key("is refused from a file of mode %i, with the chmod to fix it"),
      refusals("a key file that others may read"),
      inFile("test/companion/check.test.ts")("fails for a key file that others may read, with the chmod to fix it"),
    ],
    guard: {
      file: "src/companion/trusted-file.ts",
      from: "if (hasEntitlements(stats, ANY_USE)) {",
      to: "if (false) {",
    },
  },
  {
    fault: "another file is put in the place of the key or the settings while they are read",
    injected: "a program that swaps a link between two files during 60,000 reads; a file replaced once it is open",
    seen: "the file that was judged, or the companion does not start, and says what is wrong with the other",
    tests: [
      trusted("is checked as opened, even if its path has another file by then"),
      trusted("is refused if the replacement is a link"),
      trusted("with a secret is judged for readers as it was opened"),
      inFile("test/companion/trusted-race.test.ts")("never gives a %s file that would be refused by itself"),
    ],
    guard: {
      file: "src/companion/trusted-file.ts",
      from: "fstatSync(file)",
      to: 'require("node:fs").statSync(path)',
    },
  },
  {
    fault: "others may lead to another key or other settings",
    injected:
      "folders on the way of another user or that a foreign group may write; links and second names of another user",
    seen: "the companion does not start, says which folder or link, and prints the cure",
    tests: [
      trusted("is refused in a folder of another user, anywhere on its path"),
      trusted("is refused in a folder where another group can replace it, and not if the user's own group can"),
      trusted("is refused behind another user's link, and read behind the superuser's or the user's own"),
      trusted("is refused by a hard link in a folder where everybody can create one"),
      trusted("is read from a secrets mount, through links of the superuser in a folder all may write"),
    ],
    guard: {
      file: "src/companion/trusted-file.ts",
      from: "if (stats.uid !== user && stats.uid !== 0) {",
      to: "if (false) {",
    },
  },
  {
    fault: "the certificate is near its end",
    injected: "a certificate that ends within a week",
    seen: "the companion warns a week ahead",
    tests: [
      inFile("test/companion/certificate.test.ts")("causes a warning from a week before its end"),
      refusals("that ends within a week, and warns of it"),
      inFile("test/companion/check.test.ts")(
        "concerns the administrator's one if set, and fails from a week before its end",
      ),
    ],
    guard: {
      file: "src/companion/certificate.ts",
      from: "if (endsMs - nowMs >= WARNING_MS) return undefined;",
      to: "return undefined;",
    },
  },
];

const ASSERTIONS: readonly Fault[] = [
  {
    fault: "the provider does not know the kid",
    injected: "a companion that signs with another key",
    seen: "after two assertions `#N/A` `FEED_TOKEN_REFUSED` with the kid",
    tests: [
      signing("with an unknown kid is tried twice, and the cell names the kid"),
      inFile("test/companion/rotation.test.ts")("a single refused key signs no third time, and the error names it"),
    ],
    guard: { file: TOKEN, from: "const keys = isOther ?", to: 'const keys = true ? "" : isOther ?' },
  },
  {
    fault: "an assertion is rejected",
    injected: "401 of the token endpoint, once and for ever",
    seen: "the value by one fresh assertion; after two `#N/A` `FEED_TOKEN_REFUSED`",
    tests: [
      signing("that is rejected is followed by one fresh assertion, and the value comes"),
      signing("that is always rejected is tried twice, and the cell says so"),
    ],
    guard: { file: TOKEN, from: "return exchangeOnce(options, error.facts.keyId);", to: "throw error;" },
  },
  {
    fault: "the computer's clock is minutes off",
    injected: "a provider whose clock, and so its Date, is seven minutes behind",
    seen: "the value; the pane says how far the clock is off, and to set it",
    tests: [
      signing("by a clock minutes off is signed once more by the provider's time, as are later ones"),
      inFile("test/companion/clock.test.ts")("signs by the provider's time if it is %d minutes ahead"),
      inFile("test/taskpane/clock.test.tsx")("is connected and says so, in the mode %s"),
    ],
    guard: { file: "src/companion/clock.ts", from: "nowMs() - correctionMs(provider),", to: "nowMs()," },
  },
  {
    fault: "a jti comes twice",
    injected: "exchanges that are tried again",
    seen: "a fresh assertion each time, under an id of its own",
    tests: [
      signing("never repeats its jti, not even in a retry"),
      inFile("test/companion/assertion.test.ts")("has a new id each time"),
      inFile("test/companion/third-party.test.ts")("refuses another assertion with a used id"),
    ],
    guard: { file: "src/companion/assertion.ts", from: "const jti = randomUUID();", to: 'const jti = "1";' },
  },
  {
    fault: "signing is slow while 3,000 cells wait",
    injected: "a signature that is held back",
    seen: "all values, by one assertion",
    tests: [signing("is made once while signing is slow and 3,000 cells wait")],
    guard: { file: TOKEN, from: "loading ??= load(", to: "loading = load(" },
  },
];

export const ROWS: readonly Fault[] = [...COMPANION, ...ASSERTIONS];
