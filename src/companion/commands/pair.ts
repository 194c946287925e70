import type { Command } from "commander";
import { type Pairings, toCodeSentence } from "../api/pairing";
import { toCommand } from "../program";
import { UsageError } from "./results";
import { runOnPairings, type Surroundings } from "./surroundings";

const SETTINGS_FLAGS = "--settings <file>";
const SETTINGS_MEANING = "the administrator's file of settings that the companion is started with";

const DESCRIPTION = `Makes the code that pairs the FEED pane with the companion: good for five minutes, five tries and the one pane that
shows NAME. Leave NAME out where only one pane asks. A new code ends the one before. It acts on the companion of the
same user, running or not, which needs no restart; with FEED_STORE on all instances that share that server.`;

/** Adds the command that makes a pairing code, or lists the pairings. */
export function addPair(program: Command, surroundings: Surroundings): void {
  program
    .command("pair")
    .summary("makes the code that pairs a page with the companion, or lists who is paired")
    .description(DESCRIPTION)
    .argument("[name]", "what the pane shows")
    .option("--list", "lists who is paired: id, origin, for whom, since when, and who signed in; makes no code")
    .option(SETTINGS_FLAGS, SETTINGS_MEANING)
    .action(async (name: string | undefined, options: { list?: boolean; settings?: string }) => {
      const { list = false } = options;
      if (list && name !== undefined) throw new UsageError("Give the name that a pane shows, or --list.");
      await runOnPairings(options, surroundings, async (pairings) => {
        if (list) await printPairings(pairings, surroundings.print);
        else surroundings.print(toCodeSentence(await pairings.issue(name)));
      });
    });
}

/** Prints one line for each pairing, or that there is none. */
async function printPairings(pairings: Pairings, print: Surroundings["print"]): Promise<void> {
  const list = await pairings.list();
  if (list.length === 0) print(`Nobody is paired. For a code, run: ${toCommand("pair")}`);
  for (const { id, origin, provider, pairedAtMs, person, endsAtMs } of list) {
    const until = endsAtMs === undefined ? "" : ` until ${toTime(endsAtMs)}`;
    const whose = person === undefined ? "" : `  ${person.name ?? person.id}`;
    print(`${id}  ${origin}  for ${provider}  since ${toTime(pairedAtMs)}${until}${whose}`);
  }
}

const toTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const UNPAIR_DESCRIPTION = `Ends a pairing, or all of them with the code that waits. A running companion of the same user refuses its page from
then on; with FEED_STORE all instances that share that server do. Without a word it lists who is paired.`;

/** Adds the command that ends pairings. */
export function addUnpair(program: Command, surroundings: Surroundings): void {
  const { print } = surroundings;
  program
    .command("unpair")
    .summary("ends a pairing, or all")
    .description(UNPAIR_DESCRIPTION)
    .argument("[id]", "the pairing's id or the person's name, as the list shows it")
    .option("--all", "ends every pairing")
    .option(SETTINGS_FLAGS, SETTINGS_MEANING)
    .action(async (id: string | undefined, options: { all?: boolean; settings?: string }) => {
      const { all = false } = options;
      if (all && id !== undefined) throw new UsageError("Give the id of one pairing, or --all, and not both.");
      await runOnPairings(options, surroundings, async (pairings) => {
        if (all) return endAll(pairings, print);
        if (id !== undefined) return endOne(pairings, id, print);
        await printPairings(pairings, print);
        print(`To end one, run: ${toCommand("unpair ID")}; for all of them: ${toCommand("unpair --all")}`);
      });
    });
}

async function endAll(pairings: Pairings, print: Surroundings["print"]): Promise<void> {
  const count = await pairings.revoke();
  print(`Ended: ${count} ${count === 1 ? "pairing" : "pairings"}, and the code if one waited.`);
}

async function endOne(pairings: Pairings, id: string, print: Surroundings["print"]): Promise<void> {
  const count = await pairings.revoke(id);
  if (count === 0)
    throw new Error(`No pairing has the id or name "${id}". For the list, run: ${toCommand("pair --list")}`);
  print(count === 1 ? `Ended: the pairing ${id}.` : `Ended: ${count} pairings of ${id}.`);
}
