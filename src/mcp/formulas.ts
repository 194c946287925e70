import { findFolder, type Surroundings } from "../companion/commands/surroundings";
import { openHost, readMetadata } from "../refresh/host";
import { openProvider, type ProviderOptions } from "../refresh/provider";

/**
 * Opens the formulas of this process, with the provider that the options name; `close` ends them.
 * @throws ConfigurationError, UsageError and the errors of a companion that does not answer
 */
export async function openFormulas(options: ProviderOptions, surroundings: Surroundings) {
  const metadata = readMetadata(surroundings.webFolder);
  // The engine loads meanwhile, which takes as long as a companion takes to start.
  const [provider] = await Promise.all([openProvider(options, surroundings), import("../refresh/formula-results")]);
  const host = await openHost({ provider, metadata, namesFolder: findFolder(surroundings).names });
  return {
    host,
    source: provider.describe,
    async close() {
      host.close();
      await provider.close();
    },
  };
}
