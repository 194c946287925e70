import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { dirname } from "node:path";
import { findClosest } from "../client/closest";
import { isLoopback } from "../companion/address";
import {
  attempt,
  parseObject,
  type Reading,
  readChoice,
  readCount,
  readRequired,
} from "../companion/configuration/reading";
import { LARGEST_PORT } from "../companion/configuration/settings";
import { isWritable } from "../companion/store";
import { readSecretFile, readTrustedFile } from "../companion/trusted-file";
import { FAMILIES, type Family } from "../contract/constants";
import type { Role, Roles } from "./reads/entitlements";
import { FIRM_SETTINGS } from "./settings";
import { readPairingKey } from "./sign-in/tokens";

const { counts, words } = FIRM_SETTINGS;

/** Settings of a firm's companion, which many people use. */
export interface Firm {
  /** redis:// or rediss://, with its password if it has one; absent for a single instance. */
  store: string | undefined;
  /** Absent where terminal codes pair. */
  signIn: SignIn | undefined;
  /** Absent where everybody may read what the firm's client may. */
  roles: Roles | undefined;
  /** Requests a minute to the provider, of all instances together; default 600. */
  providerPerMinute: number;
  /** Companies and pages a minute per person; default 6000. */
  personPerMinute: number;
  /** Minimum age in seconds before a refresh requests an answer again; default 15. */
  refreshSeconds: number;
  /** Trusted proxies, whose forwarded caller addresses are believed; default none. */
  proxies: readonly string[];
  /** The file of the audit log, or "-" for standard output; absent without one. */
  audit: string | undefined;
  /** Where the metrics are served; absent without metrics. */
  metrics: { host: string; port: number } | undefined;
  /** Where traces are sent by OTLP over HTTP; absent without traces. */
  traces: string | undefined;
  /** The firm's own pages about privacy, support and terms; default none. */
  pages: FirmPages;
}

/** Reads the firm's settings. */
export function readFirm(reading: Reading): Firm {
  const { settings, mistakes } = reading;
  const signIn = readSignIn(reading);
  readStoreKey(reading);
  const { FEED_ROLES_FILE: rolesPath } = settings;
  if (rolesPath && signIn === undefined) {
    mistakes.push("FEED_ROLES_FILE needs FEED_SIGN_IN_ISSUER: roles come with a person's token.");
  }
  return {
    store: readStore(reading),
    signIn,
    roles: rolesPath ? attempt(reading, "FEED_ROLES_FILE", () => readRolesFile(rolesPath)) : undefined,
    providerPerMinute: readCount(reading, "FEED_PROVIDER_PER_MINUTE", counts.FEED_PROVIDER_PER_MINUTE),
    personPerMinute: readCount(reading, "FEED_PERSON_PER_MINUTE", counts.FEED_PERSON_PER_MINUTE),
    refreshSeconds: readCount(reading, "FEED_REFRESH_SECONDS", counts.FEED_REFRESH_SECONDS),
    proxies: readProxies(reading),
    audit: readAudit(reading),
    metrics: readMetrics(reading),
    traces: readTraces(reading),
    pages: readFirmPages(reading),
  };
}

/** Reads the store's address with its password; mistakes quote neither. */
export function readStore(reading: Reading): string | undefined {
  const { FEED_STORE: given, FEED_STORE_PASSWORD_FILE: path } = reading.settings;
  if (path && given === undefined) {
    reading.mistakes.push("FEED_STORE_PASSWORD_FILE needs FEED_STORE: the address of the store.");
  }
  const store = readAddress(reading, "FEED_STORE", /^rediss?:$/, "is not an address like redis://localhost:6379");
  return path && store ? attempt(reading, "FEED_STORE_PASSWORD_FILE", () => addPassword(new URL(store), path)) : store;
}

/**
 * Reads an address as it is written; another one is a mistake, which is not quoted.
 * @param protocol Of the address, with its colon.
 */
function readAddress({ settings, mistakes }: Reading, name: string, protocol: RegExp, mistake: string) {
  const { [name]: text } = settings;
  if (text === undefined || (URL.canParse(text) && protocol.test(new URL(text).protocol))) return text;
  mistakes.push(`${name} ${mistake}.`);
  return undefined;
}

/** Reads the key that signs the pairings of instances which share a store. */
export function readStoreKey(reading: Reading): string | undefined {
  const { FEED_STORE: store, FEED_SIGN_IN_KEY_FILE: given } = reading.settings;
  if (store === undefined) {
    if (given) reading.mistakes.push("FEED_SIGN_IN_KEY_FILE needs FEED_STORE: without it pairings are in a file.");
    return undefined;
  }
  const path = readRequired(reading, "FEED_SIGN_IN_KEY_FILE", FIRM_SETTINGS);
  return path ? attempt(reading, "FEED_SIGN_IN_KEY_FILE", () => readPairingKey(path)) : undefined;
}

/** @throws Error */
function addPassword(url: URL, path: string): string {
  if (url.password !== "") throw new Error("FEED_STORE has a password as well: keep one.");
  const password = readSecretFile(path, "password file").trim();
  if (password === "") throw new Error(`The password file ${path} is empty. Write the store's password into it.`);
  url.password = encodeURIComponent(password);
  return url.href;
}

function readProxies({ settings, mistakes }: Reading): string[] {
  const proxies = readList(settings.FEED_TRUSTED_PROXIES);
  if (!proxies.every(isAddress)) {
    mistakes.push("FEED_TRUSTED_PROXIES must list addresses or networks, such as 10.0.0.5, 10.1.0.0/16.");
  }
  return proxies.filter(isAddress);
}

/** Whether a text is an address, or a network with a valid prefix length. */
function isAddress(text: string): boolean {
  const [address = "", bits = "0", ...others] = text.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  return others.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

function readAudit({ settings, mistakes }: Reading): string | undefined {
  const { FEED_AUDIT_FILE: path } = settings;
  if (path === undefined || path === "-" || isWritable(existsSync(path) ? path : dirname(path))) return path;
  mistakes.push(
    "FEED_AUDIT_FILE cannot be written: make its folder, let the companion's user write there, or write - for standard output.",
  );
  return undefined;
}

/** Reads the metrics' address; a port alone means this machine only. */
function readMetrics({ settings, mistakes }: Reading): Firm["metrics"] {
  const { FEED_METRICS: text } = settings;
  if (text === undefined) return undefined;
  const [, host = "localhost", port] = text.match(/^(?:\[?([^\]]+)\]?:)?(\d+)$/) ?? [];
  if (port !== undefined && Number(port) <= LARGEST_PORT) return { host, port: Number(port) };
  mistakes.push("FEED_METRICS must be a port, or an address and a port, such as 9464 or 0.0.0.0:9464.");
  return undefined;
}

/**
 * Reads where traces go: the standard's base address, to which each kind of signal adds its path. Without relay mode
 * nothing is traced, and a variable that is meant for other programs does no harm.
 */
function readTraces(reading: Reading): string | undefined {
  if (reading.settings.FEED_MODE !== "relay") return undefined;
  const mistake = "must be an http or https address, such as http://localhost:4318";
  const text = readAddress(reading, "OTEL_EXPORTER_OTLP_ENDPOINT", /^https?:$/, mistake);
  return text && `${text.replace(/\/+$/, "")}/v1/traces`;
}

const COUNTRY = /^[A-Z]{3}$/;

/**
 * Reads the roles, such as {"Analyst Japan": {"families": ["financials"], "countries": ["JPN"]}}.
 * @throws Error with a sentence for the administrator.
 */
export function readRolesFile(path: string): Roles {
  const roles = parseObject(readTrustedFile(path, "roles file"), `${path} is no JSON object of role names.`);
  const entries = Object.entries(roles).map(([name, role]) => [name, readRole(name, role)] as const);
  if (entries.length === 0) throw new Error(`${path} names no role, so nobody could read anything.`);
  return Object.fromEntries(entries);
}

const isFamily = (word: unknown): word is Family => (FAMILIES as readonly unknown[]).includes(word);

function toCure(word: unknown): string {
  const [closest] = findClosest(String(word), FAMILIES);
  return closest === undefined ? `Families are: ${FAMILIES.join(", ")}.` : `Did you mean "${closest}"?`;
}

function readRole(name: string, value: unknown): Role {
  const { families, countries } = Object(value) as { families?: unknown; countries?: unknown };
  const isCountry = (word: unknown): word is string => typeof word === "string" && COUNTRY.test(word) && word !== "ALL";
  if (!Array.isArray(families)) {
    throw new Error(`The role "${name}" needs "families": a list of ${FAMILIES.join(", ")}.`);
  }
  const unknown = families.find((word) => !isFamily(word));
  if (unknown !== undefined) {
    throw new Error(
      `The role "${name}" has the family ${JSON.stringify(unknown)}, which does not exist. ${toCure(unknown)}`,
    );
  }
  if (countries !== "ALL" && !(Array.isArray(countries) && countries.every(isCountry))) {
    throw new Error(`The role "${name}" needs "countries": "ALL", or a list of codes such as "JPN".`);
  }
  return { families, countries };
}

/** Addresses of a firm's own pages, by the name of the page that each replaces. */
export type FirmPages = Readonly<Partial<Record<"privacy" | "support" | "terms", string>>>;

/** Reads the addresses of a firm's own pages about privacy, support and terms. */
function readFirmPages(reading: Reading): FirmPages {
  const mistake = "must be the address of a page that begins with https";
  const [privacy, support, terms] = ["PRIVACY_URL", "SUPPORT_URL", "TERMS_URL"].map((name) => {
    const text = readAddress(reading, name, /^https:$/, mistake);
    return text && new URL(text).href;
  });
  return { privacy, support, terms };
}

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
function readSignIn(reading: Reading): SignIn | undefined {
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
function readList(text = ""): string[] {
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
