import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_NAMESPACE, NAMESPACE_PARAMETER, NAMESPACE_SHAPE } from "../../contract/namespace";
import { type Command, EXIT_CODES_HELP, type OptionValues, UsageError } from "./command";
import { deriveId, toUnifiedManifest } from "./unified-manifest";

const HELP = `Usage: npm run companion -- manifest --origin ORIGIN [options]

Makes the manifest by which Excel installs the add-in from another place than https://localhost:3000, or under another
namespace than FEED. Its id follows from both: the same ones give the same add-in, others one that stands beside it.

Options
  --origin ORIGIN        where people reach the companion, such as https://feed.example.com
  --namespace NAMESPACE  what the formulas' names begin with: 2 to 20 capitals and digits (default ${DEFAULT_NAMESPACE})
  --out FILE             writes it there; without it, it is printed: npm run --silent companion -- manifest ... > FILE
  --unified FOLDER       writes the unified manifest there, for Microsoft 365 alone: zip the files of the folder as they are
  --help                 this text

With --out manifest.xml, build again: the formulas' help pages then are where the manifest says.

${EXIT_CODES_HELP}`;

const TRY = "Try: npm run companion -- manifest --help";

/** Makes the manifest of another origin or namespace. */
export const MANIFEST: Command = {
  summary: "makes the manifest for another origin or namespace",
  help: HELP,
  options: {
    origin: { type: "string" },
    namespace: { type: "string" },
    out: { type: "string" },
    unified: { type: "string" },
  },
  async run(values, _words, { webFolder, print }) {
    const deployment = { origin: readOrigin(values), namespace: readNamespace(values) };
    const built = join(webFolder, "manifest.xml");
    if (!existsSync(built)) throw new Error("The add-in is not built. Run: npm run build");
    const text = readFileSync(built, "utf8");
    const manifest = toManifest(text, deployment);
    const installs = `installs the add-in from ${deployment.origin}, its formulas as ${deployment.namespace}.`;
    if (typeof values.out === "string") {
      writeFileSync(values.out, manifest);
      print(`${values.out} ${installs}`);
    }
    if (typeof values.unified === "string") {
      writeUnified(values.unified, manifest, webFolder, [readDeployment(text).origin, deployment.origin]);
      print(`${join(values.unified, "manifest.json")}, zipped with the files beside it, ${installs}`);
    }
    if (typeof values.out !== "string" && typeof values.unified !== "string") print(manifest.trimEnd());
    return undefined;
  },
};

/** Writes the files of an app package: the unified manifest, its texts, and its two icons. */
function writeUnified(folder: string, manifest: string, webFolder: string, [from, to]: [string, string]): void {
  const read = (name: string) => JSON.parse(readFileSync(join(webFolder, name), "utf8").replaceAll(from, to));
  const files = toUnifiedManifest({
    manifest,
    functions: read("functions.json"),
    shortcuts: read("shortcuts.json"),
    shortcutsInJapanese: read("shortcuts-ja.json"),
  });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  copyFileSync(join(webFolder, "assets", "icon-192.png"), join(folder, "color.png"));
  copyFileSync(join(webFolder, "assets", "icon-outline-32.png"), join(folder, "outline.png"));
}

function readOrigin({ origin }: OptionValues): string {
  if (typeof origin !== "string") throw new UsageError(`--origin is missing. ${TRY}`);
  const read = toOrigin(origin);
  if (read === null) {
    throw new UsageError(
      `--origin is "${origin}"; give https, a host and perhaps a port, such as https://feed.example.com. ${TRY}`,
    );
  }
  return read;
}

function readNamespace({ namespace = DEFAULT_NAMESPACE }: OptionValues): string {
  if (typeof namespace !== "string" || !NAMESPACE_SHAPE.test(namespace)) {
    throw new UsageError(`--namespace is "${namespace}"; give 2 to 20 capitals and digits, such as ACME. ${TRY}`);
  }
  return namespace;
}

/** The properties of a deployment. */
interface Deployment {
  /** Where the companion serves the pages, e.g. "https://feed.example.com". */
  origin: string;
  /** The prefix of the formulas' names, e.g. "ACME", which also names the add-in. */
  namespace: string;
}

/** The default deployment; existing installations have this id. */
const FIRST = {
  origin: "https://localhost:3000",
  namespace: DEFAULT_NAMESPACE,
  id: "e5e98938-6bbc-4356-824e-1329b3cfb00d",
};

/** Reads an origin; null where Office would not accept it. */
function toOrigin(written: string): string | null {
  const url = URL.canParse(written) ? new URL(written) : null;
  return url?.protocol === "https:" && url.href === `${url.origin}/` ? url.origin : null;
}

/** Derives a deployment's manifest from the built one, whichever that is for. */
export function toManifest(built: string, deployment: Deployment): string {
  const { origin, namespace } = readDeployment(built);
  const word = new RegExp(`(?<=Value="[^"]*|<ProviderName>[^<]*)\\b${namespace}\\b`, "g");
  const query = deployment.namespace === DEFAULT_NAMESPACE ? "" : `?${NAMESPACE_PARAMETER}=${deployment.namespace}`;
  return built
    .replace(/(?<=\/taskpane\.html)\?namespace=\w+/g, "")
    .replaceAll(origin, deployment.origin)
    .replace(word, deployment.namespace)
    .replace(/(?<=\/taskpane\.html)/g, query)
    .replace(/(?<=<Id>)[^<]+/, toId(deployment));
}

/**
 * Reads what a built manifest is for.
 * @throws Error when the text is no manifest of this add-in
 */
export function readDeployment(built: string): Deployment {
  const address = /<SourceLocation DefaultValue="([^"]+)"/.exec(built)?.[1];
  const namespace = /<bt:String id="Functions.Namespace" DefaultValue="([^"]+)"/.exec(built)?.[1];
  if (address === undefined || namespace === undefined) throw new Error("The built manifest cannot be read.");
  return { origin: new URL(address).origin, namespace };
}

/** Gives an id per deployment, so that two can stand side by side (UUID version 5). */
function toId({ origin, namespace }: Deployment): string {
  if (origin === FIRST.origin && namespace === FIRST.namespace) return FIRST.id;
  return deriveId(FIRST.id, `${origin} ${namespace}`);
}
