import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { DEFAULT_NAMESPACE, NAMESPACE_SHAPE } from "../../contract/namespace";
import { readBuiltManifest, readDeployment, toManifest } from "../manifest";
import type { Surroundings } from "./surroundings";
import { toUnifiedManifest } from "./unified-manifest";

const DESCRIPTION = `Makes the manifest by which Excel installs the add-in from another place than https://localhost:3000, or under another
namespace than FEED. Its id follows from both: the same ones give the same add-in, others one that stands beside it.
Without --out and --unified it is printed.`;

const AFTERWARDS = `
In a checkout, build again after --out manifest.xml: the formulas' help pages then are where the manifest says.`;

/** The options as the parser gives them. */
interface Options {
  origin: string;
  namespace: string;
  out?: string;
  unified?: string;
}

/** Adds the command that makes the manifest of another origin or namespace. */
export function addManifest(program: Command, surroundings: Surroundings): void {
  program
    .command("manifest")
    .summary("makes the manifest for another origin or namespace")
    .description(DESCRIPTION)
    .requiredOption("--origin <origin>", "where people reach the companion, such as https://feed.example.com", toOrigin)
    .option(
      "--namespace <namespace>",
      "what the formulas' names begin with: 2 to 20 capitals and digits",
      toNamespace,
      DEFAULT_NAMESPACE,
    )
    .option("--out <file>", "writes it there")
    .option(
      "--unified <folder>",
      "writes the unified manifest there, for Microsoft 365 alone: zip the files of the folder as they are",
    )
    .addHelpText("after", AFTERWARDS)
    .action((options: Options) => run(options, surroundings));
}

function run({ origin, namespace, out, unified }: Options, { webFolder, print }: Surroundings): void {
  const built = readBuiltManifest(webFolder);
  const manifest = toManifest(built, { origin, namespace });
  const installs = `installs the add-in from ${origin}, its formulas as ${namespace}.`;
  if (out !== undefined) {
    writeFileSync(out, manifest);
    print(`${out} ${installs}`);
  }
  if (unified !== undefined) {
    writeUnified(unified, manifest, webFolder, [readDeployment(built).origin, origin]);
    print(`${join(unified, "manifest.json")}, zipped with the files beside it, ${installs}`);
  }
  if (out === undefined && unified === undefined) print(manifest.trimEnd());
}

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

/** Reads an origin as Office accepts it. */
function toOrigin(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol === "https:" && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError("Give https, a host and perhaps a port, such as https://feed.example.com.");
}

function toNamespace(written: string): string {
  if (NAMESPACE_SHAPE.test(written)) return written;
  throw new InvalidArgumentError("Give 2 to 20 capitals and digits, such as ACME.");
}
