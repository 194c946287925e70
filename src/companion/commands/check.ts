import { OPERATIONS } from "../../contract/constants";
import { type Configuration, ConfigurationError, readConfiguration } from "../configuration";
import { readBaseUrl } from "../configuration/base-url";
import { readClient } from "../configuration/client";
import { isOfProvider, type Settings } from "../configuration/settings";
import { collectSettings, type SettingsFiles } from "../configuration/sources";
import { checkCertificate } from "./check/certificate";
import { type Finding, fail, note, pass } from "./check/finding";
import { checkKeys } from "./check/keys";
import { checkProvider } from "./check/provider";
import { type Command, EXIT_CODES_HELP, findSettings } from "./command";

const HELP = `Usage: npm run companion -- check [options]

Checks what "start" would start with, a line each: pass, FAIL with the cure, or a note. Settings, the key's file, size
and key id, a signature, the provider's clock, a real exchange at its token endpoint (the token is dropped), and the
certificate of https.

Options
  --settings <file>  an administrator's file of settings, as for start
  --help             this text

Environment: as for start

${EXIT_CODES_HELP}`;

/** Checks settings, key, provider and certificate. */
export const CHECK: Command = {
  summary: "checks settings, key, clock, provider and certificate",
  help: HELP,
  options: { settings: { type: "string" } },
  async run(values, _words, surroundings) {
    const found = readAll(surroundings.environment, findSettings(values, surroundings));
    const findings = [
      ...(found.mistakes.length > 0 ? found.mistakes.map(fail) : [pass("The settings are complete.")]),
      ...(await check(found.settings, surroundings.nowMs ?? Date.now)),
      ...(await checkCertificate(found.configuration?.tls, surroundings)),
    ];
    for (const { verdict, text } of findings) surroundings.print(`${verdict}  ${text}`);
    refuseFailures(findings, found.mistakes.length > 0);
    return undefined;
  },
};

interface Found {
  settings: Settings;
  configuration?: Configuration;
  mistakes: readonly string[];
}

/** Where a start would end at the first mistakes, what is right is kept, to be checked further. */
function readAll(environment: NodeJS.ProcessEnv, files: SettingsFiles): Found {
  try {
    const configuration = readConfiguration(environment, files);
    return { settings: collectSettings(environment, files, []).settings, configuration, mistakes: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { settings: readSettings(environment, files), mistakes: error.mistakes };
  }
}

function readSettings(environment: NodeJS.ProcessEnv, files: SettingsFiles): Settings {
  try {
    return collectSettings(environment, files, []).settings;
  } catch {
    return {}; // a file that cannot be read is a mistake already
  }
}

async function check(settings: Settings, nowMs: () => number): Promise<Finding[]> {
  if (!Object.keys(settings).some(isOfProvider)) {
    return [note("No provider is set, so sample data answers, and there is no key of yours to check.")];
  }
  const reading = { settings, mistakes: [] };
  const client = readClient(reading);
  if (client === undefined) return [];
  const keys = await checkKeys(client, settings, nowMs());
  const baseUrl = readBaseUrl(reading);
  if (reading.mistakes.length > 0) return keys;
  return [...keys, ...(await checkProvider(client, baseUrl + OPERATIONS.createToken.path, nowMs))];
}

function refuseFailures(findings: readonly Finding[], hasMistakes: boolean): void {
  const count = findings.filter(({ verdict }) => verdict === "FAIL").length;
  if (count === 0) return;
  const sentence = `${count} of ${findings.length} checks failed; each line above says what to do.`;
  throw hasMistakes ? new ConfigurationError([sentence]) : new Error(sentence);
}
