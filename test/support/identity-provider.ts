import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JWK } from "jose";

/** The start options of an identity provider. */
interface IdentityProviderStart {
  /** Private keys, with their kid; none for its own. */
  keys: readonly JWK[];
  /** The only client, with its OpenID Connect registration. */
  client: object;
  /** The claims of people, by subject. */
  people: Readonly<Record<string, object>>;
}

/** oidc-provider, in a separate process. */
export interface RunningIdentityProvider {
  issuer: string;
  /** Restarts with other keys. */
  rotate(keys: readonly JWK[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts oidc-provider on a free port; it signs in the person named in the header `person`. */
export async function startIdentityProvider(start: IdentityProviderStart): Promise<RunningIdentityProvider> {
  const words = [join(__dirname, "oidc-sign-in.mjs"), JSON.stringify(start)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const lines = createInterface(child.stdout);
  const waitFor = async (pattern: RegExp) => {
    const found = new Promise<string>((resolve) => lines.on("line", (line) => pattern.test(line) && resolve(line)));
    const line = await Promise.race([found, ended]);
    if (typeof line !== "string") throw new Error("oidc-provider has ended.");
    return line;
  };
  const port = (await waitFor(/^port \d+$/)).slice("port ".length);
  return {
    issuer: `http://127.0.0.1:${port}`,
    async rotate(keys) {
      const rotated = waitFor(/^rotated$/);
      child.stdin.write(`${JSON.stringify(keys)}\n`);
      await rotated;
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A registered client: its id, and its public keys with their kid. */
export interface RegisteredClient {
  clientId: string;
  keys: readonly JWK[];
}

/** A token endpoint at `{baseUrl}/token`. */
export interface TokenServer {
  /** Without a trailing slash. */
  baseUrl: string;
  close(): Promise<void>;
}

/** Starts oidc-provider with one client that authenticates by private_key_jwt. */
export async function startThirdParty({ clientId, keys }: RegisteredClient): Promise<TokenServer> {
  const client = {
    ...{ client_id: clientId, token_endpoint_auth_method: "private_key_jwt", jwks: { keys } },
    ...{ grant_types: ["client_credentials"], redirect_uris: [], response_types: [] },
  };
  const { issuer, close } = await startIdentityProvider({ keys: [], client, people: {} });
  return { baseUrl: issuer, close };
}
