/** Names and texts, as in the environment or a file. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** One setting. */
export interface Setting {
  name: string;
  /** Its description in `--help`, without a full stop. */
  meaning: string;
  /** Settings of one kind must all come from one place. */
  kind?: "key" | "passphrase" | "tls";
}

/** Every setting, in the order of `--help`; names that start with FEED_ belong to the provider. */
export const SETTINGS: readonly Setting[] = [
  { name: "FEED_BASE_URL", meaning: "the provider's base URL: https, or a loopback address" },
  { name: "FEED_CLIENT_ID", meaning: "the client id that the provider issued" },
  { name: "FEED_KEY_ID", meaning: "the key id (kid) that the provider issued for the public key", kind: "key" },
  {
    name: "FEED_PRIVATE_KEY_FILE",
    meaning:
      "the file of the RSA private key (PEM: PKCS#8, encrypted PKCS#8 or PKCS#1), 2048 bits or more, readable by its owner alone",
    kind: "key",
  },
  { name: "FEED_PRIVATE_KEY", meaning: "the private key itself (PEM), in place of its file", kind: "key" },
  { name: "FEED_PRIVATE_KEY_PASSPHRASE", meaning: "what opens an encrypted key", kind: "passphrase" },
  {
    name: "FEED_PRIVATE_KEY_PASSPHRASE_FILE",
    meaning: "the file that holds the passphrase, readable by its owner alone",
    kind: "passphrase",
  },
  { name: "FEED_PREVIOUS_KEY_ID", meaning: "while keys change: the key id of the key before", kind: "key" },
  {
    name: "FEED_PREVIOUS_PRIVATE_KEY_FILE",
    meaning: "while keys change: the file of the private key before, opened by the same passphrase",
    kind: "key",
  },
  {
    name: "FEED_SIGNER_COMMAND",
    meaning:
      'in place of a private key: the program that signs, as a JSON array of its words, such as ["openssl", "dgst", "-sha256", "-sign", "key.pem"]; it reads bytes and writes their RS256 signature',
    kind: "key",
  },
  {
    name: "FEED_PUBLIC_KEY_FILE",
    meaning: "the file of the public key (PEM) that belongs to that program",
    kind: "key",
  },
  {
    name: "FEED_MODE",
    meaning:
      "sign (default): the pane exchanges assertions for tokens; relay: the companion does, and keeps both to itself",
  },
  {
    name: "FEED_TRANSPORT",
    meaning:
      "proxy (default): calls travel through the companion; direct: from the pane to the provider, which then allows the add-in's origin",
  },
  {
    name: "FEED_STORE",
    meaning:
      "redis://host:port (Redis or Valkey; rediss:// for TLS), which several instances share; default none, and each remembers for itself",
  },
  {
    name: "FEED_STORE_PASSWORD_FILE",
    meaning: "the file of the store's password, readable by its owner alone; default none",
  },
  {
    name: "FEED_SIGN_IN_ISSUER",
    meaning: "who signs people in: the issuer of an OpenID Connect provider, in relay mode; default none",
  },
  { name: "FEED_SIGN_IN_PROFILE", meaning: "oidc (default), or entra for Microsoft Entra ID" },
  { name: "FEED_SIGN_IN_CLIENT_ID", meaning: "the client id that the companion has there" },
  {
    name: "FEED_SIGN_IN_CLIENT_SECRET_FILE",
    meaning: "the file of its client secret, readable by its owner alone; default none, as a public client",
  },
  { name: "FEED_SIGN_IN_AUDIENCE", meaning: "whom people's tokens must be for, default the client id" },
  { name: "FEED_SIGN_IN_SCOPE", meaning: "the scope that people's tokens must have, default feed.read" },
  { name: "FEED_SIGN_IN_APPS", meaning: "further client ids whose tokens are taken, comma separated" },
  { name: "FEED_SIGN_IN_ROLES_CLAIM", meaning: "the claim that lists a person's roles, default roles" },
  { name: "FEED_SIGN_IN_HOURS", meaning: "how long somebody stays signed in, 1 to 168, default 10" },
  {
    name: "FEED_ROLES_FILE",
    meaning:
      "the JSON file of what each role may read; default none, and everybody who signs in may read what the client may",
  },
  {
    name: "FEED_PROVIDER_PER_MINUTE",
    meaning: "in relay mode: requests a minute to the provider, of all instances together, default 600",
  },
  {
    name: "FEED_PERSON_PER_MINUTE",
    meaning:
      "in relay mode: companies and pages a minute that one person may have the provider asked for, default 6000",
  },
  {
    name: "FEED_REFRESH_SECONDS",
    meaning:
      "in relay mode: how many seconds old an answer must be before a refresh asks the provider again, 0 for any, default 15",
  },
  {
    name: "FEED_TRUSTED_PROXIES",
    meaning:
      "addresses or networks of the proxies ahead, comma separated, whose word for a caller's address is taken; default none",
  },
  {
    name: "FEED_AUDIT_FILE",
    meaning: "the file that gets a line for each read of a person (- for standard output), default none",
  },
  {
    name: "FEED_METRICS",
    meaning: "the port, or address and port, of metrics for Prometheus, such as 9464; default none",
  },
  {
    name: "HOST",
    meaning:
      "what to listen on, default localhost; for others than this machine a provider and ALLOWED_ORIGINS are needed",
  },
  { name: "PORT", meaning: "0 to 65535, default 3000; 0 takes any free one" },
  {
    name: "TLS_CERT_FILE",
    meaning: "the file of your own certificate for https (PEM, its chain after it)",
    kind: "tls",
  },
  {
    name: "TLS_KEY_FILE",
    meaning: "the file of that certificate's private key (PEM, not encrypted), readable by its owner alone",
    kind: "tls",
  },
  {
    name: "ALLOWED_ORIGINS",
    meaning:
      "further origins under which people reach the companion's pages, comma separated, such as https://feed.example.com",
  },
  {
    name: "PLAYGROUND",
    meaning:
      "on or off: whether the spreadsheet in the browser is served; default on, and off where ALLOWED_ORIGINS is set or people sign in",
  },
  {
    name: "LOG_LEVEL",
    meaning: "fatal, error, warn, info, debug, trace or silent; default info with a provider, warn with sample data",
  },
];

/** Whether a name is, or is meant as, a provider's setting; Windows ignores case. */
export function isOfProvider(name: string): boolean {
  return /^FEED_/i.test(name);
}

/** Lists the names of the same kind, including this one. */
export function findKin(name: string): readonly string[] {
  const kind = SETTINGS.find((setting) => setting.name === name)?.kind;
  if (kind === undefined) return [name];
  return SETTINGS.filter((setting) => setting.kind === kind).map((setting) => setting.name);
}

/** Describes every setting for `--help`. */
export function describeSettings(): string {
  return SETTINGS.map(({ name, meaning }) => `  ${name}\n      ${meaning}`).join("\n");
}
