import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JWK } from "jose";

/** What an identity provider is to know. */
export interface IdentityProviderStart {
  /** Private keys, with their kid. */
  keys: readonly JWK[];
  /** The one client, as OpenID Connect registers it. */
  client: object;
  /** What a token says of somebody, by the subject. */
  people: Readonly<Record<string, object>>;
}

/** oidc-provider, in a process of its own. */
export interface RunningIdentityProvider {
  issuer: string;
  /** Goes on with other keys. */
  rotate(keys: readonly JWK[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts oidc-provider, which signs in whoever the header `person` names, on a free port of this machine. */
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
