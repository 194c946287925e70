import type { Pairings } from "../api/pairing";
import { type Command, EXIT_CODES_HELP, type Surroundings, UsageError } from "./command";
import { runOnPairings } from "./open-stores";
import { printPairings } from "./pair";

const HELP = `Usage: npm run companion -- unpair ID [--settings <file>]
       npm run companion -- unpair --all [--settings <file>]

Ends a pairing, or all of them with the code that waits. A running companion of the same user refuses its page from
then on; with FEED_STORE all instances that share that server do. Without a word it lists who is paired.

Options
  --all              ends every pairing
  --settings <file>  the administrator's file of settings that the companion is started with
  --help             this text

${EXIT_CODES_HELP}`;

/** Ends pairings. */
export const UNPAIR: Command = {
  summary: "ends a pairing, or all",
  help: HELP,
  options: { all: { type: "boolean" }, settings: { type: "string" } },
  mostWords: 1,
  async run(values, [id], surroundings) {
    const { print } = surroundings;
    if (values.all === true && id !== undefined)
      throw new UsageError("Give the id of one pairing, or --all, and not both.");
    await runOnPairings(values, surroundings, async (pairings) => {
      if (values.all === true) return endAll(pairings, print);
      if (id !== undefined) return endOne(pairings, id, print);
      await printPairings(pairings, print);
      print("To end one, run: npm run companion -- unpair ID; for all of them: npm run companion -- unpair --all");
    });
    return undefined;
  },
};

async function endAll(pairings: Pairings, print: Surroundings["print"]): Promise<void> {
  const count = await pairings.revoke();
  print(`Ended: ${count} ${count === 1 ? "pairing" : "pairings"}, and the code if one waited.`);
}

async function endOne(pairings: Pairings, id: string, print: Surroundings["print"]): Promise<void> {
  if ((await pairings.revoke(id)) === 0)
    throw new Error(`No pairing has the id "${id}". For the list, run: npm run companion -- pair --list`);
  print(`Ended: the pairing ${id}.`);
}
