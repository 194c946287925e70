import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import { parseNumber } from "office-addin-cli";
import { createControls } from "../sandbox";
import { createAddress, toOrigin } from "./address";
import { CERTIFICATE_FOLDER, loadCertificate } from "./certificate";
import { createCompanion } from "./companion";
import { type Configuration, readConfiguration } from "./configuration";
import { listen } from "./listener";
import type { SampleOptions } from "./sample";

const LARGEST_COMPANIES = 1_000_000;
const LARGEST_LATENCY_MS = 60_000;
const TRY_HELP = "Try: npm start -- --help";

/** What a command line runs in. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** The folder that the build writes the pages to. */
  webFolder: string;
  print: (line: string) => void;
  /** Where https has its certificate; default the folder of Office's own tools. */
  certificateFolder?: string;
}

/** What `--help` prints. */
export const HELP = `Usage: npm start -- [options]
       node dist/companion/main.mjs start [options]

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
  FEED_TRANSPORT     proxy (default): calls travel through this program; direct: from the pane to the provider`;

/**
 * Runs a command line.
 * @param words What follows the program's name, e.g. ["start", "--https"].
 * @returns The companion that now listens, or nothing when there was only help to print.
 * @throws Error with the cure when it cannot start.
 */
export async function runCommand(words: string[], surroundings: Surroundings): Promise<FastifyInstance | undefined> {
  const { values, positionals } = parseWords(words);
  if (values.help) {
    surroundings.print(HELP);
    return undefined;
  }
  const command = positionals.join(" ");
  if (command === "") throw new Error(`The command is missing: start. ${TRY_HELP}`);
  if (command !== "start") throw new Error(`"${command}" is not a command. ${TRY_HELP}`);
  const companies = readCount("--companies", values.companies, 1, LARGEST_COMPANIES);
  const latencyMs = readCount("--latency", values.latency, 0, LARGEST_LATENCY_MS) ?? 0;
  const configuration = readConfiguration(surroundings.environment);
  if (configuration.provider && (values.companies ?? values.latency) !== undefined) {
    throw new Error("--companies and --latency shape the sample data, and a provider is configured.");
  }
  const sample = { companies, controls: Object.assign(createControls(), { latencyMs }) };
  return start(configuration, sample, values.https ?? false, surroundings);
}

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

const OPTIONS = {
  https: { type: "boolean" },
  companies: { type: "string" },
  latency: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

function parseWords(words: string[]) {
  try {
    return parseArgs({ args: words, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // Node adds lines on how to write a word that begins with a dash: nobody wants that here.
    const sentence = (error as Error).message.split(/\.\s|\n/)[0]!.replace(/\.$/, "");
    throw new Error(`${sentence}. ${TRY_HELP}`);
  }
}

function readCount(name: string, text: string | undefined, least: number, most: number): number | undefined {
  const sentence = `${name} must be a whole number from ${least} to ${most}.`;
  const count = parseNumber(text, sentence);
  if (count === undefined) return undefined;
  // parseNumber reads "12abc" as 12.
  if (String(count) !== text?.trim() || !Number.isInteger(count) || count < least || count > most)
    throw new Error(sentence);
  return count;
}
