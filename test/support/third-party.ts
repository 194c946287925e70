import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JWK } from "jose";

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

/** Starts oidc-provider, with one client that authenticates by private_key_jwt, on a free port. */
export async function startThirdParty(client: RegisteredClient): Promise<TokenServer> {
  const words = [join(__dirname, "oidc-provider.mjs"), JSON.stringify(client)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stdout)) {
    const port = /^port (\d+)$/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    const close = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    return { baseUrl: `http://127.0.0.1:${port}`, close };
  }
  throw new Error(`oidc-provider did not start (${await ended}).`);
}
