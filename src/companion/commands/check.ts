import { ConfigurationError, type Readout, readAllSettings } from "../configuration";
import { isOfProvider } from "../configuration/settings";
import { checkCertificate } from "./check/certificate";
import { type Finding, fail, note, pass } from "./check/finding";
import { checkKeys } from "./check/keys";
import { checkProvider } from "./check/provider";
import { type Command, EXIT_CODES_HELP, findSettings } from "./command";

const HELP = `Usage: npm run companion -- check [options]

Checks what "start" would start with, a line each: pass, FAIL with the cure, or a note. Settings, the key's file, size
and key id, a signature, the provider's clock, a real exchange at its token endpoint, one small read of each family of
data (token and data are dropped), and the certificate of https.

Options
  --settings <file>  an administrator's file of settings, as for start
  --help             this text

Environment: as for start

${EXIT_CODES_HELP}`;

/** Checks settings, key, provider, rights and certificate. */
export const CHECK: Command = {
  summary: "checks settings, key, clock, provider, what the client may read, and certificate",
  help: HELP,
  options: { settings: { type: "string" } },
  async run(values, _words, surroundings) {
    const { environment, print, nowMs = Date.now } = surroundings;
    const readout = readAllSettings(environment, findSettings(values, surroundings), nowMs());
    const { configuration, mistakes } = readout;
    const findings = [
      ...(mistakes.length > 0 ? mistakes.map(fail) : [pass("The settings are complete.")]),
      ...(await check(readout, nowMs)),
      ...(await checkCertificate(configuration.tls, surroundings)),
    ];
    for (const { verdict, text } of findings) print(`${verdict}  ${text}`);
    refuseFailures(findings, mistakes);
    return undefined;
  },
};

async function check({ settings, configuration, mistakes }: Readout, nowMs: () => number): Promise<Finding[]> {
  if (!Object.keys(settings).some(isOfProvider)) {
    // Of settings that cannot be read nobody knows whether a provider is set.
    if (mistakes.length > 0) return [];
    return [note("No provider is set, so sample data answers, and there is no key of yours to check.")];
  }
  if (configuration.provider === undefined) return [];
  const { client, baseUrl } = configuration.provider;
  const keys = await checkKeys(client, settings, nowMs());
  if (mistakes.some(isOfProvider)) return keys;
  return [...keys, ...(await checkProvider(client, baseUrl, nowMs))];
}

function refuseFailures(findings: readonly Finding[], mistakes: readonly string[]): void {
  const count = findings.filter(({ verdict }) => verdict === "FAIL").length;
  if (count === 0) return;
  const sentence = `${count} of ${findings.length} checks failed; each line above says what to do.`;
  throw mistakes.length > 0 ? new ConfigurationError(mistakes, sentence) : new Error(sentence);
}
