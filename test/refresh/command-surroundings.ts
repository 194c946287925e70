import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import type { Surroundings } from "../../src/companion/commands/surroundings";
import type { FunctionsMetadata } from "../../src/playground/custom-functions";
import { readGenerated } from "../reference/generated";
import type { RunningProvider } from "../support/provider";

/** A person's own folder, which is removed at the end of the test file. */
export function createHome() {
  const folder = mkdtempSync(join(tmpdir(), "feed-refresh-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    surroundings: (environment: NodeJS.ProcessEnv = {}): Surroundings => ({
      ...{ environment, webFolder: folder, folder, certificateFolder: join(folder, "certificates") },
      print: () => {},
    }),
  };
}

/** The settings of a provider's client, as the environment has them. */
export const toEnvironment = ({ baseUrl, clientId, kid, privateKey }: RunningProvider): NodeJS.ProcessEnv => ({
  FEED_BASE_URL: baseUrl,
  FEED_CLIENT_ID: clientId,
  FEED_KEY_ID: kid,
  FEED_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
});

/** Reads the functions as the build's functions.json describes them, without a build. */
export const readFunctions = async () => (await readGenerated()) as FunctionsMetadata;
