import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { FastifyInstance } from "fastify";
import { createControls } from "../../sandbox";
import { createAddress, toOrigin } from "../address";
import { toInvitationSentence } from "../api/pairing";
import { CERTIFICATE_FOLDER, type Certificate, ensureCertificate, warnOfEnd } from "../certificate";
import { type CompanionOptions, createCompanion } from "../companion";
import { type Configuration, readAllSettings } from "../configuration";
import { ConfigurationError } from "../configuration/reading";
import type { Settings } from "../configuration/settings";
import { describeSettings } from "../configuration/sources";
import { listen } from "../listener";
import { BUILD_ADVICE } from "../program";
import type { Stores } from "../stores";
import { UsageError } from "./results";
import { findFolder, findSettings, openStores, type Surroundings } from "./surroundings";

const LARGEST_COMPANIES = 1_000_000;
const LARGEST_LATENCY_MS = 60_000;

const ENVIRONMENT = `
Environment, or texts of the same names in a JSON file: the administrator's, else one's own
${describeSettings()}`;

/** The options as the parser gives them. */
interface Options {
  https?: boolean;
  settings?: string;
  companies?: number;
  latency?: number;
}

/** Adds the command that starts the companion. */
export function addStart(program: Command, surroundings: Surroundings): void {
  program
    .command("start")
    .summary("serves the add-in and signs for it")
    .description("Serves FEED for Excel and signs for it. Without a provider it answers with sample data.")
    .option("--https", "a local certificate, which Excel needs; plain http is for the playground")
    .option("--settings <file>", "an administrator's file of settings: the pane changes none of them")
    .option(
      "--companies <n>",
      "private companies in the sample data (default 5000)",
      toWholeNumber(1, LARGEST_COMPANIES),
    )
    .option("--latency <ms>", "holds every sample answer back", toWholeNumber(0, LARGEST_LATENCY_MS))
    .addHelpText("after", ENVIRONMENT)
    .action((options: Options) => run(options, surroundings));
}

async function run(options: Options, surroundings: Surroundings): Promise<void> {
  const { companies, latency, https = false } = options;
  const { environment, nowMs = Date.now } = surroundings;
  const settingsFiles = findSettings(options, surroundings);
  const { configuration, settings, mistakes } = readAllSettings(environment, settingsFiles, nowMs());
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  if (configuration.provider && (companies ?? latency) !== undefined) {
    throw new UsageError("--companies and --latency shape the sample data, and a provider is configured.");
  }
  const sample = { companies, controls: Object.assign(createControls(), { latencyMs: latency ?? 0 }) };
  const isOutputTaken = configuration.features.some(({ ownsOutput }) => ownsOutput);
  await start(
    { configuration, settings, settingsFiles, sample },
    https,
    isOutputTaken ? { ...surroundings, print: log } : surroundings,
  );
}

/** Prints a line into the log, where standard output belongs to a feature. */
function log(line: string): void {
  process.stderr.write(`${JSON.stringify({ level: 30, time: Date.now(), msg: line })}\n`);
}

async function start(
  {
    settings,
    ...options
  }: Pick<CompanionOptions, "configuration" | "settingsFiles" | "sample"> & { settings: Settings },
  isSecure: boolean,
  surroundings: Surroundings,
): Promise<FastifyInstance> {
  const { configuration } = options;
  const { environment, webFolder, print, isTerminal = false, hasTerminal } = surroundings;
  if (!existsSync(join(webFolder, "playground.html"))) {
    throw new Error(`The pages are not built. ${BUILD_ADVICE}`);
  }
  const certificate = await findCertificate(configuration, isSecure, surroundings);
  let notify: (line: string) => void = () => {};
  const stores = await openStores(settings, surroundings, (line) => notify(line));
  const isUnpaired = await hasNobody(configuration, stores, print);
  const parts = { ...options, webFolder, certificate, stores, environment };
  const place = { folder: findFolder(surroundings), notify: print, isTerminal, hasTerminal };
  const app = await createCompanion({ ...parts, ...place }).catch(async (error) => {
    await stores.close(); // its connections would keep the process alive
    throw error;
  });
  notify = (line) => app.log.warn(line);
  // A proxy passes over an instance that does not listen yet, but not over one that knows nobody.
  await stores.join().catch(async (error) => {
    await app.close();
    throw error;
  });
  await listen(app, configuration);
  surroundings.onListen?.(app, configuration);
  const scheme = certificate === undefined ? "http" : "https";
  const [origin = toOrigin(createAddress(app.server, configuration, scheme))] = configuration.origins;
  const source = configuration.provider ? new URL(configuration.provider.baseUrl).host : "sample data";
  const page = configuration.hasPlayground ? "/playground.html" : "";
  print(`FEED for Excel is ready: ${origin}${page} (${source})`);
  if (isUnpaired) print(`Nobody is paired yet. ${toInvitationSentence(isTerminal)}`);
  return app;
}

/** Whether no page is paired. */
async function hasNobody({ provider }: Configuration, { pairings, standing }: Stores, print: Surroundings["print"]) {
  if (provider === undefined) return false;
  try {
    return (await pairings.list(provider.baseUrl)).length === 0;
  } catch (error) {
    if (standing() === "alone") throw error;
    print((error as Error).message);
    return false;
  }
}

async function findCertificate(
  { tls }: Configuration,
  isSecure: boolean,
  { print, certificateFolder = CERTIFICATE_FOLDER, nowMs = Date.now }: Surroundings,
): Promise<Certificate | undefined> {
  if (tls !== undefined) {
    const certificate = { ...tls, authority: tls.cert };
    const warning = warnOfEnd(certificate, nowMs());
    if (warning !== undefined) print(warning);
    return certificate;
  }
  if (!isSecure) return undefined;
  const { certificate, advice } = await ensureCertificate(certificateFolder, nowMs());
  print(advice);
  return certificate;
}

/** Gives the reader of an option's whole number within a range. */
function toWholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && count <= most) return count;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
