import type { ClientAuth, Configuration } from "openid-client";
import { isLoopback } from "../../companion/address";
import type { SignIn } from "../configuration";
import { type IdentityProvider, toUnreachable } from "./identity-provider";
import { SignInRefusal } from "./refusal";

const TIMEOUT_SECONDS = 10;
/** The form of an OAuth error code; anything else must not enter a log. */
const ERROR_CODE = /^[\w.:-]{1,80}$/;

/** A sign-in during the browser's absence. */
export interface UnderWay {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/**
 * Creates the authorization code flow of OpenID Connect, with PKCE (RFC 7636); its library is loaded on the first
 * sign-in.
 */
export function createAuthorization(signIn: SignIn, identityProvider: IdentityProvider) {
  const resource = toResource(signIn);
  return {
    /**
     * Starts a sign-in: gives the identity provider's page, and the values to remember until the browser returns.
     * @throws SignInRefusal
     */
    async begin(redirectUri: string): Promise<{ page: string; underWay: UnderWay }> {
      const [library, configuration] = await open(signIn, identityProvider);
      const [state, nonce, verifier] = [library.randomState(), library.randomNonce(), library.randomPKCECodeVerifier()];
      const page = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: `openid profile ${toRequestedScope(signIn)}`,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...resource,
      });
      return { page: page.href, underWay: { state, nonce, verifier, redirectUri } };
    },
    /**
     * Completes it, and gives the access token.
     * @param query As the browser returned it.
     * @throws SignInRefusal
     */
    async finish(query: string, { state, nonce, verifier, redirectUri }: UnderWay): Promise<string> {
      const [library, configuration] = await open(signIn, identityProvider);
      const back = new URL(`${redirectUri}?${query}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await library.authorizationCodeGrant(configuration, back, checks, resource).catch(refuse);
      return tokens.access_token;
    },
  };
}

/** Gives the scope to request: Entra requires the audience before it, unless it is Microsoft's own. */
export function toRequestedScope({ profile, audience, scope }: SignIn): string {
  return profile === "entra" ? `${audience}/${scope}` : scope;
}

/** Gives the audience parameters: RFC 8707's, which takes an address, and the older one. */
function toResource({ profile, audience, clientId }: SignIn): Record<string, string> {
  if (profile === "entra" || audience === clientId) return {};
  return URL.canParse(audience) ? { resource: audience, audience } : { audience };
}

type Library = typeof import("openid-client");

async function open(signIn: SignIn, identityProvider: IdentityProvider): Promise<readonly [Library, Configuration]> {
  const { metadata } = await identityProvider.discover();
  const library = await import("openid-client");
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const configuration = new library.Configuration(
    metadata,
    signIn.clientId,
    {},
    toClientAuth(library, signIn, methods),
  );
  configuration[library.customFetch] = identityProvider.fetch;
  configuration.timeout = TIMEOUT_SECONDS;
  if (isLoopback(new URL(signIn.issuer).hostname)) library.allowInsecureRequests(configuration);
  return [library, configuration];
}

/** Authenticates by header, unless the identity provider accepts only the body (OpenID Connect Discovery, 3). */
function toClientAuth(
  { None, ClientSecretBasic, ClientSecretPost }: Library,
  signIn: SignIn,
  methods?: string[],
): ClientAuth {
  const { clientSecret } = signIn;
  if (clientSecret === undefined) return None();
  const isByBody = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isByBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

/** Refuses with the error's code only: the rest of the answer may hold a token. */
function refuse(failure: unknown): never {
  const { name, error, code } = Object(failure) as { name?: string; error?: unknown; code?: unknown };
  const said = [error, code, name].find((part) => typeof part === "string" && ERROR_CODE.test(part));
  if (name === "AuthorizationResponseError") {
    throw new SignInRefusal("declined", `The identity provider declined the sign-in (${said}).`);
  }
  if (name === "ResponseBodyError" || name === "ClientError") {
    throw new SignInRefusal(
      "failed",
      `The identity provider gave no token that serves (${said}): check FEED_SIGN_IN_CLIENT_ID and its secret.`,
    );
  }
  throw toUnreachable(failure);
}
