import { isLoopback } from "../../companion/address";
import { attempt, type Reading, readChoice, readCount, readRequired } from "../../companion/configuration/reading";
import { readSecretFile } from "../../companion/trusted-file";
import { FIRM_SETTINGS } from "../settings";

const { counts, words } = FIRM_SETTINGS;
const PREFIX = "FEED_SIGN_IN_";
/** Belongs to the store: firms that pair by codes have it too. */
const KEY = "FEED_SIGN_IN_KEY_FILE";
const HOUR_MS = 3_600_000;
/** Requires the id of one tenant, as its tokens name it: words like "common" mean any tenant. */
const ENTRA_PATH = /^\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0$/;
/** The characters of an OAuth scope. */
const WORD = /^[\x21-\x7e]{1,200}$/;

/** The identity provider (OpenID Connect). */
export interface SignIn {
  /** "entra": Microsoft Entra ID, with a tenant in the issuer and the claims `azp` and `scp`. */
  profile: (typeof words.FEED_SIGN_IN_PROFILE)[number];
  /** As its tokens write it. */
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** The required audience; default the client id. */
  audience: string;
  /** The required scope; default "feed.read". */
  scope: string;
  /** Accepted applications: the client id, and further configured ones. */
  apps: readonly string[];
  /** The claim that lists a person's roles; default "roles". */
  rolesClaim: string;
  /** Lifetime of a sign-in; default 10 hours. */
  lifetimeMs: number;
}

/** Reads the identity provider; absent without any of its settings. */
export function readSignIn(reading: Reading): SignIn | undefined {
  const { settings, mistakes } = reading;
  if (!Object.keys(settings).some((name) => name.startsWith(PREFIX) && name !== KEY)) return undefined;
  if (settings.FEED_MODE !== "relay") {
    mistakes.push("FEED_SIGN_IN_ISSUER needs FEED_MODE=relay: in sign mode the pane gets the client's own token.");
  }
  readRequired(reading, "FEED_SIGN_IN_CLIENT_ID", FIRM_SETTINGS);
  const { FEED_SIGN_IN_CLIENT_SECRET_FILE: path } = settings;
  const clientId = readWord(reading, "FEED_SIGN_IN_CLIENT_ID", "");
  const profile = readChoice(reading, "FEED_SIGN_IN_PROFILE", words.FEED_SIGN_IN_PROFILE);
  return {
    profile,
    issuer: readIssuer(reading, profile),
    clientId,
    clientSecret: path
      ? attempt(reading, "FEED_SIGN_IN_CLIENT_SECRET_FILE", () => readSecretFile(path, "client secret file").trim())
      : undefined,
    audience: readWord(reading, "FEED_SIGN_IN_AUDIENCE", clientId),
    scope: readWord(reading, "FEED_SIGN_IN_SCOPE", "feed.read"),
    apps: [clientId, ...readList(readWord(reading, "FEED_SIGN_IN_APPS", ""))],
    rolesClaim: readWord(reading, "FEED_SIGN_IN_ROLES_CLAIM", "roles"),
    lifetimeMs: readCount(reading, "FEED_SIGN_IN_HOURS", counts.FEED_SIGN_IN_HOURS) * HOUR_MS,
  };
}

/** Reads a comma-separated list. */
export function readList(text = ""): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function readIssuer(reading: Reading, profile: SignIn["profile"]): string {
  const text = readRequired(reading, "FEED_SIGN_IN_ISSUER", FIRM_SETTINGS);
  if (text === "") return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = url?.protocol === "http:" && isLoopback(url.hostname);
  const isAddress = (url?.protocol === "https:" || isHere) && url?.search === "" && url.hash === "";
  if (isAddress && profile === "entra" && !ENTRA_PATH.test(url.pathname)) {
    reading.mistakes.push(
      "FEED_SIGN_IN_ISSUER must name your tenant by its id, as https://login.microsoftonline.com/TENANT-ID/v2.0 does.",
    );
  }
  if (isAddress) return text;
  reading.mistakes.push(
    "FEED_SIGN_IN_ISSUER is not an address like https://login.example.com (http:// is for this machine only).",
  );
  return text;
}

function readWord({ settings, mistakes }: Reading, name: string, preset: string): string {
  const text = settings[name] || preset;
  if (text !== "" && !WORD.test(text))
    mistakes.push(`${name} must be at most 200 letters, digits and signs, without blanks.`);
  return text;
}
