import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JWK } from "jose";

/** The start options of an identity provider. */
export interface IdentityProviderStart {
  /** Private keys, with their kid. */
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
