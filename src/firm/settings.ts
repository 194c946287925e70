import type { SettingsTable } from "../companion/configuration/settings";

const LARGEST_COUNT = 1_000_000;

/** The settings of a firm. */
export const FIRM_SETTINGS = {
  texts: {
    FEED_STORE:
      "redis://host:port (Redis or Valkey; rediss:// for TLS), which several instances share; default none, and each remembers for itself",
    FEED_STORE_PASSWORD_FILE: "the file of the store's password, readable by its owner alone; default none",
    FEED_SIGN_IN_KEY_FILE:
      "the file of the key that signs people's sign-ins (keygen --sign-in), readable by its owner alone; needed with FEED_STORE",
    FEED_SIGN_IN_ISSUER: "who signs people in: the issuer of an OpenID Connect provider, in relay mode; default none",
    FEED_SIGN_IN_PROFILE: "oidc (default), or entra for Microsoft Entra ID",
    FEED_SIGN_IN_CLIENT_ID: "the client id that the companion has there",
    FEED_SIGN_IN_CLIENT_SECRET_FILE:
      "the file of its client secret, readable by its owner alone; default none, as a public client",
    FEED_SIGN_IN_AUDIENCE: "whom people's tokens must be for, default the client id",
    FEED_SIGN_IN_SCOPE: "the scope that people's tokens must have, default feed.read",
    FEED_SIGN_IN_APPS: "further client ids whose tokens are taken, comma separated",
    FEED_SIGN_IN_ROLES_CLAIM: "the claim that lists a person's roles, default roles",
    FEED_SIGN_IN_HOURS: "how many hours somebody stays signed in",
    FEED_ROLES_FILE:
      "the JSON file of what each role may read; default none, and everybody who signs in may read what the client may",
    FEED_PROVIDER_PER_MINUTE: "in relay mode: requests a minute to the provider, of all instances together",
    FEED_PERSON_PER_MINUTE:
      "in relay mode: companies and pages a minute that one person may have the provider asked for",
    FEED_REFRESH_SECONDS:
      "in relay mode: how many seconds old an answer must be before a refresh asks the provider again (0 for any)",
    FEED_TRUSTED_PROXIES:
      "addresses or networks of the proxies ahead, comma separated, whose word for a caller's address is taken; default none",
    FEED_AUDIT_FILE: "the file that gets a line for each read of a person (- for standard output), default none",
    FEED_METRICS: "the port, or address and port, of metrics for Prometheus, such as 9464; default none",
    OTEL_EXPORTER_OTLP_ENDPOINT:
      "in relay mode: where OpenTelemetry traces are sent (OTLP over HTTP, JSON), such as http://localhost:4318; default none",
    PRIVACY_URL: "your firm's own page about privacy (https), which replaces the companion's; default none",
    SUPPORT_URL: "your firm's own page about support (https), which replaces the companion's; default none",
    TERMS_URL: "your firm's own terms of use (https), which replace the companion's; default none",
  },
  counts: {
    FEED_SIGN_IN_HOURS: [1, 168, 10],
    FEED_PROVIDER_PER_MINUTE: [1, LARGEST_COUNT, 600],
    FEED_PERSON_PER_MINUTE: [1, LARGEST_COUNT, 6000],
    FEED_REFRESH_SECONDS: [0, LARGEST_COUNT, 15],
  },
  words: { FEED_SIGN_IN_PROFILE: ["oidc", "entra"] },
  secrets: ["FEED_STORE"],
  live: ["FEED_ROLES_FILE"],
} as const satisfies SettingsTable;
