import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_NAMESPACE, NAMESPACE_SHAPE } from "../../contract/namespace";
import { toManifest, toOrigin } from "../manifest";
import { type Command, EXIT_CODES_HELP, type OptionValues, UsageError } from "./command";

const HELP = `Usage: npm run companion -- manifest --origin ORIGIN [options]

Makes the manifest by which Excel installs the add-in from another place than https://localhost:3000, or under another
namespace than FEED. Its id follows from both: the same ones give the same add-in, others one that stands beside it.

Options
  --origin ORIGIN        where people reach the companion, such as https://feed.example.com
  --namespace NAMESPACE  what the formulas' names begin with: 2 to 20 capitals and digits (default ${DEFAULT_NAMESPACE})
  --out FILE             writes it there; without it, it is printed: npm run --silent companion -- manifest ... > FILE
  --help                 this text

With --out manifest.xml, build again: the formulas' help pages then are where the manifest says.

${EXIT_CODES_HELP}`;

const TRY = "Try: npm run companion -- manifest --help";

/** Makes the manifest of another origin or namespace. */
export const MANIFEST: Command = {
  summary: "makes the manifest for another origin or namespace",
  help: HELP,
  options: { origin: { type: "string" }, namespace: { type: "string" }, out: { type: "string" } },
  async run(values, _words, { webFolder, print }) {
    const deployment = { origin: readOrigin(values), namespace: readNamespace(values) };
    const built = join(webFolder, "manifest.xml");
    if (!existsSync(built)) throw new Error("The add-in is not built. Run: npm run build");
    const manifest = toManifest(readFileSync(built, "utf8"), deployment);
    if (typeof values.out !== "string") {
      print(manifest.trimEnd());
      return undefined;
    }
    writeFileSync(values.out, manifest);
    print(`${values.out} installs the add-in from ${deployment.origin}, its formulas as ${deployment.namespace}.`);
    return undefined;
  },
};

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
