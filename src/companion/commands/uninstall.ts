import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { openInstallation } from "../installation";
import { removeIfEmpty } from "../installation/record";
import type { Folder } from "../machine";
import { findFolder, findMachine, type Surroundings } from "./surroundings";

const DESCRIPTION = `Takes back what "install", "service" and "certs --trust" changed on this computer, and restores what stood there
before. Your keys, settings and pairings stay, unless you say otherwise. Stop a companion that you started yourself.`;

/** The options as the parser gives them. */
interface Options {
  purge?: boolean;
  yes?: boolean;
}

/** Adds the command that takes an installation back. */
export function addUninstall(program: Command, surroundings: Surroundings): void {
  program
    .command("uninstall")
    .summary("takes back what install changed; keys and settings stay")
    .description(DESCRIPTION)
    .option("--purge", "deletes your keys, settings and pairings as well, for good")
    .option("--yes", "deletes them without being asked")
    .action((options: Options) => run(options, surroundings));
}

async function run({ purge = false, yes = false }: Options, surroundings: Surroundings): Promise<void> {
  const { print } = surroundings;
  const folder = dirname(findFolder(surroundings).keys);
  if (purge) {
    await refuseUnlessAgreed(yes, surroundings);
    deleteOwnFiles(findFolder(surroundings));
    print(`Deleted: your keys, settings and pairings in ${folder}.`);
  }
  const lines = await openInstallation(findMachine(surroundings)).undo();
  // Where only a start has made the folder, nothing recorded it.
  if (purge) removeIfEmpty(folder);
  for (const line of lines) print(line);
  if (lines.length === 0) print("Nothing was installed here, so there is nothing to take back.");
  else if (!purge && existsSync(folder)) print(`Your keys, settings and pairings stay in ${folder}.`);
}

async function refuseUnlessAgreed(isAgreed: boolean, { confirm, ...surroundings }: Surroundings): Promise<void> {
  if (isAgreed) return;
  const { keys } = findFolder(surroundings);
  const query = `Delete your settings, pairings and all private keys in ${keys}? Nobody can bring a key back.`;
  if (confirm === undefined) {
    throw new Error("Nothing was changed: your consent is needed, and there is no terminal to ask at. Add --yes.");
  }
  if (!(await confirm(query))) throw new Error("Nothing was changed. Without --purge keys and settings stay.");
}

function deleteOwnFiles({ settings, pairings, companions, keys, names, answers }: Folder): void {
  for (const path of [settings, pairings, companions]) rmSync(path, { force: true });
  for (const path of [keys, names, answers]) rmSync(path, { recursive: true, force: true });
}
