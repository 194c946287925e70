import { FEATURES } from "../features";
import { SETTINGS } from "./settings";

/** Every setting with its description, those of features included, in the order of `--help`. */
export const KNOWN_SETTINGS: Readonly<Record<string, string>> = Object.assign(
  {},
  SETTINGS,
  ...FEATURES.map(({ settings }) => settings),
);

export const SETTING_NAMES: readonly string[] = Object.keys(KNOWN_SETTINGS);

/** Settings that hold a secret. */
export const SECRETS: readonly string[] = [
  ...["FEED_PRIVATE_KEY", "FEED_PRIVATE_KEY_PASSPHRASE", "HTTPS_PROXY", "HTTP_PROXY"],
  ...FEATURES.flatMap(({ secrets }) => secrets),
];

/** Describes every setting for `--help`. */
export function describeSettings(): string {
  return Object.entries(KNOWN_SETTINGS)
    .map(([name, description]) => `  ${name}\n      ${description}`)
    .join("\n");
}
