import { describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../../src/companion/configuration";
import { COMPLETE, readMistakes } from "../complete-settings";

const TENANT = "6f1c2ae0-0c2b-4f6e-9a5d-2d1b3c4e5f60";
const SIGN_IN = {
  ...COMPLETE,
  FEED_MODE: "relay",
  FEED_SIGN_IN_ISSUER: "https://login.example.com",
  FEED_SIGN_IN_CLIENT_ID: "feed",
};

describe("the sign-in settings", () => {
  it("are an issuer and a client id, with defaults for the rest", () => {
    expect(readConfiguration(SIGN_IN).firm.signIn).toEqual({
      profile: "oidc",
      issuer: "https://login.example.com",
      clientId: "feed",
      clientSecret: undefined,
      audience: "feed",
      scope: "feed.read",
      apps: ["feed"],
      rolesClaim: "roles",
      lifetimeMs: 36_000_000,
    });
  });

  it.each([`https://login.microsoftonline.com/${TENANT}/v2.0`, `https://login.microsoftonline.us/${TENANT}/v2.0`])(
    "accept one tenant of Microsoft by its id: %s",
    (issuer) => {
      expect(readMistakes({ ...SIGN_IN, FEED_SIGN_IN_PROFILE: "entra", FEED_SIGN_IN_ISSUER: issuer })).toEqual([]);
    },
  );

  it.each([
    "https://login.microsoftonline.com/common/v2.0",
    "https://login.microsoftonline.com/organizations/v2.0",
    `https://login.microsoftonline.com/${TENANT}`,
    `https://login.microsoftonline.com/${TENANT}/v2.0/`,
    `https://sts.windows.net/${TENANT}/`,
  ])("refuse an issuer for any tenant or with other tokens: %s", (issuer) => {
    expect(readMistakes({ ...SIGN_IN, FEED_SIGN_IN_PROFILE: "entra", FEED_SIGN_IN_ISSUER: issuer })).toEqual([
      "FEED_SIGN_IN_ISSUER must name your tenant by its id, as https://login.microsoftonline.com/TENANT-ID/v2.0 does.",
    ]);
  });
});
