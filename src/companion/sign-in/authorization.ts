import type { ClientAuth, Configuration } from "openid-client";
import { isLoopback } from "../address";
import type { SignIn } from "../configuration/sign-in";
import { type IdentityProvider, toUnreachable } from "./identity-provider";
import { SignInRefusal } from "./sign-in-refusal";

const TIMEOUT_SECONDS = 10;
/** As OAuth writes the code of an error; anything else there is no word for a log. */
const ERROR_CODE = /^[\w.:-]{1,80}$/;

/** A sign-in that a browser is away for. */
export interface UnderWay {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/** The authorization code flow with PKCE (RFC 7636), as OpenID Connect has it. */
export interface Authorization {
  /**
   * Begins a sign-in: the address of the identity provider's page, and what to remember until the browser is back.
   * @throws SignInRefusal
   */
  begin(redirectUri: string): Promise<{ page: string; underWay: UnderWay }>;
  /**
   * Ends it, and gives the access token.
   * @param query As the browser brought it back.
   * @throws SignInRefusal
   */
  finish(query: string, underWay: UnderWay): Promise<string>;
}

/** Creates the flow; the library behind it is loaded when somebody signs in. */
export function createAuthorization(signIn: SignIn, identityProvider: IdentityProvider): Authorization {
  const resource = toResource(signIn);
  return {
    async begin(redirectUri) {
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
    async finish(query, { state, nonce, verifier, redirectUri }) {
      const [library, configuration] = await open(signIn, identityProvider);
      const back = new URL(`${redirectUri}?${query}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await library.authorizationCodeGrant(configuration, back, checks, resource).catch(refuse);
      return tokens.access_token;
    },
  };
}

/** A scope by itself is one of Microsoft's own; before others stands whose it is. */
export function toRequestedScope({ profile, audience, scope }: SignIn): string {
  return profile === "entra" ? `${audience}/${scope}` : scope;
}

/** Whom the token is to be for: by RFC 8707, which wants an address there, or in the way of those from before it. */
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

/** By the header, unless the identity provider knows the body alone (OpenID Connect Discovery, 3). */
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

/** Of what comes back only the code of the error is told: the rest may hold anything, a token too. */
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
