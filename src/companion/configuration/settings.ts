/** Names and texts, as in the environment or a file. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** The whole numbers that a setting takes, and its default. */
export type Count = readonly [least: number, most: number, preset: number];

/** Settings, declared once: reading, messages, `--help`, documents, secrecy and reloading come from here. */
export interface SettingsTable {
  /** Their descriptions, in the order of `--help`; those of `counts` are completed by their numbers. */
  texts: Readonly<Record<string, string>>;
  counts: Readonly<Record<string, Count>>;
  /** The words that a setting takes, its default first. */
  words: Readonly<Record<string, readonly string[]>>;
  /** Those that hold a secret. */
  secrets: readonly string[];
  /** Those that apply without a restart. */
  live: readonly string[];
}

/** Settings of a kind must all come from one place. */
export const KINDS: readonly (readonly string[])[] = [
  [
    "FEED_KEY_ID",
    "FEED_PRIVATE_KEY_FILE",
    "FEED_PRIVATE_KEY",
    "FEED_PREVIOUS_KEY_ID",
    "FEED_PREVIOUS_PRIVATE_KEY_FILE",
    "FEED_SIGNER_COMMAND",
    "FEED_PUBLIC_KEY_FILE",
  ],
  ["FEED_PRIVATE_KEY_PASSPHRASE", "FEED_PRIVATE_KEY_PASSPHRASE_FILE"],
  ["TLS_CERT_FILE", "TLS_KEY_FILE"],
];

/** Settings of the network, which other programs have too. */
export const NETWORK_SETTINGS: readonly string[] = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"];

/** The largest port number. */
export const LARGEST_PORT = 65_535;

/** Defaults that no list of words begins with, since they depend on other settings. */
export const PRESETS = {
  HOST: "localhost",
  LOG_LEVEL: { withProvider: "info", withSample: "warn" },
  PLAYGROUND: { ofOne: "on", ofFirm: "off" },
} as const;

/** The companion's own settings; names that start with FEED_ belong to the provider. */
export const SETTINGS = {
  texts: {
    FEED_BASE_URL: "the provider's base URL: https, or a loopback address",
    FEED_CLIENT_ID: "the client id that the provider issued",
    FEED_KEY_ID: "the key id (kid) that the provider issued for the public key",
    FEED_PRIVATE_KEY_FILE:
      "the file of the RSA private key (PEM: PKCS#8, encrypted PKCS#8 or PKCS#1), 2048 bits or more, readable by its owner alone",
    FEED_PRIVATE_KEY: "the private key itself (PEM), in place of its file",
    FEED_PRIVATE_KEY_PASSPHRASE: "what opens an encrypted key",
    FEED_PRIVATE_KEY_PASSPHRASE_FILE: "the file that holds the passphrase, readable by its owner alone",
    FEED_PREVIOUS_KEY_ID: "while keys change: the key id of the key before",
    FEED_PREVIOUS_PRIVATE_KEY_FILE:
      "while keys change: the file of the private key before, opened by the same passphrase",
    FEED_SIGNER_COMMAND:
      'in place of a private key: the program that signs, as a JSON array of its words, such as ["openssl", "dgst", "-sha256", "-sign", "key.pem"]; it reads bytes and writes their RS256 signature',
    FEED_PUBLIC_KEY_FILE: "the file of the public key (PEM) that belongs to that program",
    FEED_MODE:
      "sign (default): the pane exchanges assertions for tokens; relay: the companion does, and keeps both to itself",
    FEED_TRANSPORT:
      "proxy (default): calls travel through the companion; direct: from the pane to the provider, which then allows the add-in's origin",
    HTTPS_PROXY:
      "the web proxy to provider and identity provider, such as http://proxy.example.com:8080, with NAME:PASSWORD@ before its name where it wants them; default none",
    HTTP_PROXY: "the same, where HTTPS_PROXY is not set",
    NO_PROXY:
      "what is reached without the proxy: names with their subdomains, addresses, networks, comma separated, `*` for any text; this machine always is",
    NODE_EXTRA_CA_CERTS:
      "the file of further certificate authorities (PEM), such as that of a proxy which inspects https; default none",
    HOST: `what to listen on, default ${PRESETS.HOST}; for others than this machine a provider and ALLOWED_ORIGINS are needed`,
    PORT: "the port to listen on (0 takes any free one)",
    TLS_CERT_FILE: "the file of your own certificate for https (PEM, its chain after it)",
    TLS_KEY_FILE: "the file of that certificate's private key (PEM, not encrypted), readable by its owner alone",
    ALLOWED_ORIGINS:
      "further origins under which people reach the companion's pages, comma separated, such as https://feed.example.com",
    PLAYGROUND: `on or off: whether the spreadsheet in the browser is served; default ${PRESETS.PLAYGROUND.ofOne}, and ${PRESETS.PLAYGROUND.ofFirm} where ALLOWED_ORIGINS is set or people sign in`,
    SAMPLE_WEEKS: "how many weeks the sample data have moved on",
    LOG_LEVEL: `fatal, error, warn, info, debug, trace or silent; default ${PRESETS.LOG_LEVEL.withProvider} with a provider, ${PRESETS.LOG_LEVEL.withSample} with sample data`,
  },
  counts: { PORT: [0, LARGEST_PORT, 3000], SAMPLE_WEEKS: [0, 520, 0] },
  words: {
    FEED_MODE: ["sign", "relay"],
    FEED_TRANSPORT: ["proxy", "direct"],
    PLAYGROUND: ["on", "off"],
    LOG_LEVEL: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
  },
  secrets: ["FEED_PRIVATE_KEY", "FEED_PRIVATE_KEY_PASSPHRASE", "HTTPS_PROXY", "HTTP_PROXY"],
  live: [...KINDS.flat(), "LOG_LEVEL"],
} as const satisfies SettingsTable;

/** Whether a name is, or is meant as, a provider's setting; Windows ignores case. */
export function isOfProvider(name: string): boolean {
  return /^FEED_/i.test(name);
}

/** Gives the setting that a variable's name means: proxies' are also written in lower case. */
export const toSettingName = (name: string): string =>
  isOfProvider(name) || /^(https?|no)_proxy$/.test(name) ? name.toUpperCase() : name;

/** Lists the names of the same kind, including this one. */
export const findKin = (name: string): readonly string[] => KINDS.find((names) => names.includes(name)) ?? [name];
