import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { DEFAULT_NAMESPACE, NAMESPACE_SHAPE } from "../../contract/namespace";
import { readBuiltManifest, toManifest } from "../manifest";
import type { Surroundings } from "./surroundings";

const DESCRIPTION = `Makes the manifest by which Excel installs the add-in from another place than https://localhost:3000, or under another
namespace than FEED. Its id follows from both: the same ones give the same add-in, others one that stands beside it.
Without --out it is printed.`;

const AFTERWARDS = `
In a checkout, build again after --out manifest.xml: the formulas' help pages then are where the manifest says.`;

/** The options as the parser gives them. */
interface Options {
  origin: string;
  namespace: string;
  out?: string;
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
    .addHelpText("after", AFTERWARDS)
    .action((options: Options) => run(options, surroundings));
}

function run({ origin, namespace, out }: Options, { webFolder, print }: Surroundings): void {
  const manifest = toManifest(readBuiltManifest(webFolder), { origin, namespace });
  if (out !== undefined) writeFileSync(out, manifest);
  print(
    out === undefined ? manifest.trimEnd() : `${out} installs the add-in from ${origin}, its formulas as ${namespace}.`,
  );
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
