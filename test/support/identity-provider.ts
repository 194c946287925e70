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
export type RunningIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Starts oidc-provider on a free port; it signs in the person named in the header `person`. */
export async function startIdentityProvider(start: IdentityProviderStart) {
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
    /** Restarts with other keys. */
    async rotate(keys: readonly JWK[]): Promise<void> {
      const rotated = waitFor(/^rotated$/);
      child.stdin.write(`${JSON.stringify(keys)}\n`);
      await rotated;
    },
    async close(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export type TokenServer = Awaited<ReturnType<typeof startThirdParty>>;

/** Starts oidc-provider with one client that authenticates by private_key_jwt at `{baseUrl}/token`. */
export async function startThirdParty({ clientId, keys }: { clientId: string; keys: readonly JWK[] }) {
  const client = {
    ...{ client_id: clientId, token_endpoint_auth_method: "private_key_jwt", jwks: { keys } },
    ...{ grant_types: ["client_credentials"], redirect_uris: [], response_types: [] },
  };
  const { issuer, close } = await startIdentityProvider({ keys: [], client, people: {} });
  return { baseUrl: issuer, close };
}
