import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { parseNumber } from "office-addin-cli";
import { createControls } from "../../sandbox";
import { createAddress, toOrigin } from "../address";
import { CERTIFICATE_FOLDER, loadCertificate } from "../certificate";
import { createCompanion } from "../companion";
import { type Configuration, readConfiguration } from "../configuration";
import { listen } from "../listener";
import type { SampleOptions } from "../sample";
import { type Command, EXIT_CODES_HELP, type OptionValues, type Surroundings, UsageError } from "./command";

const LARGEST_COMPANIES = 1_000_000;
const LARGEST_LATENCY_MS = 60_000;

const HELP = `Usage: npm start -- [options]
       npm run companion -- start [options]

Serves FEED for Excel and signs for it. Without a provider it answers with sample data.

Options
  --https            a local certificate, which Excel needs; plain http is for the playground
  --companies <n>    private companies in the sample data (default 5000)
  --latency <ms>     holds every sample answer back
  --help             this text

Environment
  PORT               default 3000
  HOST               default localhost
  LOG_LEVEL          fatal, error, warn (default), info, debug, trace or silent; logs go to standard error

Environment, for a provider (all or none)
  FEED_BASE_URL      the address that the provider's paths stand below
  FEED_CLIENT_ID     the client id that the provider issued
  FEED_KEY_ID        the key id (kid) that the provider issued
  FEED_PRIVATE_KEY_FILE or FEED_PRIVATE_KEY
                     the RSA private key, in PEM
  FEED_PRIVATE_KEY_PASSPHRASE
                     for an encrypted key
  FEED_TRANSPORT     proxy (default): calls travel through this program; direct: from the pane to the provider

${EXIT_CODES_HELP}`;

/** Starts the companion. */
export const START: Command = {
  summary: "serves the add-in and signs for it",
  help: HELP,
  options: { https: { type: "boolean" }, companies: { type: "string" }, latency: { type: "string" } },
  async run(values, _words, surroundings) {
    const companies = readCount("--companies", values.companies, 1, LARGEST_COMPANIES);
    const latencyMs = readCount("--latency", values.latency, 0, LARGEST_LATENCY_MS) ?? 0;
    const configuration = readConfiguration(surroundings.environment);
    if (configuration.provider && (values.companies ?? values.latency) !== undefined) {
      throw new UsageError("--companies and --latency shape the sample data, and a provider is configured.");
    }
    const sample = { companies, controls: Object.assign(createControls(), { latencyMs }) };
    return start(configuration, sample, values.https === true, surroundings);
  },
};

async function start(
  configuration: Configuration,
  sample: SampleOptions,
  secure: boolean,
  { webFolder, print, certificateFolder = CERTIFICATE_FOLDER }: Surroundings,
): Promise<FastifyInstance> {
  if (!existsSync(join(webFolder, "playground.html"))) throw new Error("The pages are not built. Run: npm run build");
  const loaded = secure ? await loadCertificate(certificateFolder, Date.now()) : undefined;
  const certificate = loaded?.certificate;
  const app = await createCompanion({ configuration, webFolder, certificate, sample });
  await listen(app, configuration);
  const origin = toOrigin(createAddress(app.server, configuration, secure ? "https" : "http"));
  const source = configuration.provider ? new URL(configuration.provider.baseUrl).host : "sample data";
  if (loaded) print(loaded.advice);
  print(`FEED for Excel is ready: ${origin}/playground.html (${source})`);
  return app;
}

function readCount(name: string, text: OptionValues[string], least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  // parseNumber reads "12abc" as 12.
  const count = /^\d+$/.test(String(text)) ? parseNumber(text) : undefined;
  if (count !== undefined && count >= least && count <= most) return count;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}.`);
}
