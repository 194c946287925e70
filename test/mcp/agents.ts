import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Roles } from "../../src/firm/reads/entitlements";
import { findPorts, startInstance, toSettings } from "../firm/instances";
import { AUDIENCE, startIssuer } from "../firm/issuer";
import { type RunningProvider, startSandbox } from "../support/provider";

export interface FirmOfAgentsOptions {
  /** Default one that reads everything: "everything". */
  roles?: Roles;
  /** Default a sandbox of 20 companies. */
  provider?: Pick<RunningProvider, "baseUrl" | "clientId" | "kid" | "privateKey" | "close">;
  /** Settings beside those of the firm. */
  settings?: NodeJS.ProcessEnv;
}

const FAMILIES = ["companies", "financials", "taxonomies", "rankings"] as const;
export const EVERYTHING: Roles = { everything: { families: FAMILIES, countries: "ALL" } };

/** A firm's companion, the built program, with people whose agents read by it. */
export type FirmOfAgents = Awaited<ReturnType<typeof startFirmOfAgents>>;

export async function startFirmOfAgents({ roles = EVERYTHING, settings, ...given }: FirmOfAgentsOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "feed-agents-"));
  const provider = given.provider ?? (await startSandbox({ companies: 20 }));
  const issuer = await startIssuer();
  const [port] = (await findPorts(1)) as [number];
  const rolesFile = join(folder, "roles.json");
  const audit = join(folder, "audit.jsonl");
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  write("roles.json", JSON.stringify(roles));
  write("key.pem", provider.privateKey.export({ type: "pkcs8", format: "pem" }));
  const program = await startInstance(port, {
    environment: {
      ...toSettings(folder, provider.baseUrl, { clientId: provider.clientId, keyId: provider.kid }),
      ...{ FEED_MODE: "relay", FEED_ROLES_FILE: rolesFile, FEED_AUDIT_FILE: audit },
      ...{ FEED_SIGN_IN_ISSUER: issuer.url, FEED_SIGN_IN_CLIENT_ID: AUDIENCE },
      ...settings,
    },
  });
  const origin = `http://localhost:${port}`;
  const url = `${origin}/mcp`;
  return {
    ...{ origin, url, issuer, audit, pid: program.pid },
    /** Connects a person's agent. */
    async connect(person: string, roles: readonly string[] = ["everything"]) {
      return connectAgent(url, await issuer.issue(person, roles));
    },
    async close() {
      await program.stop();
      await issuer.close();
      await provider.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Connects the official client. */
export async function connectAgent(url: string, token: string) {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return Object.assign(client, { headers, session: transport.sessionId!, leave: () => transport.terminateSession() });
}
