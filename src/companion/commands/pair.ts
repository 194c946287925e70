import { toCodeSentence } from "../api/invitation";
import type { Pairings } from "../api/pairing";
import { type Command, EXIT_CODES_HELP, type Surroundings, UsageError } from "./command";
import { runOnPairings } from "./open-stores";

const HELP = `Usage: npm run companion -- pair [NAME] [--settings <file>]
       npm run companion -- pair --list [--settings <file>]

Makes the code that pairs the FEED pane with the companion: good for five minutes, five tries and the one pane that
shows NAME. Leave NAME out where only one pane asks. A new code ends the one before. It acts on the companion of the
same user, running or not, which needs no restart; with FEED_STORE on all instances that share that server.

Options
  --list             lists who is paired: id, origin, for whom, since when, and who signed in; makes no code
  --settings <file>  the administrator's file of settings that the companion is started with
  --help             this text

${EXIT_CODES_HELP}`;

/** Makes a pairing code, or lists the pairings. */
export const PAIR: Command = {
  summary: "makes the code that pairs a page with the companion, or lists who is paired",
  help: HELP,
  options: { list: { type: "boolean" }, settings: { type: "string" } },
  mostWords: 1,
  async run(values, [name], surroundings) {
    if (values.list === true && name !== undefined) throw new UsageError("Give the name that a pane shows, or --list.");
    await runOnPairings(values, surroundings, async (pairings) => {
      if (values.list === true) await printPairings(pairings, surroundings.print);
      else surroundings.print(toCodeSentence(await pairings.issue(name)));
    });
    return undefined;
  },
};

/** Prints one line for each pairing, or that there is none. */
async function printPairings(pairings: Pairings, print: Surroundings["print"]): Promise<void> {
  const list = await pairings.list();
  if (list.length === 0) print("Nobody is paired. For a code, run: npm run companion -- pair");
  for (const { id, origin, provider, pairedAtMs, person, endsAtMs } of list) {
    const until = endsAtMs === undefined ? "" : ` until ${toTime(endsAtMs)}`;
    const whose = person === undefined ? "" : `  ${person.name ?? person.id}`;
    print(`${id}  ${origin}  for ${provider}  since ${toTime(pairedAtMs)}${until}${whose}`);
  }
}

const toTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const UNPAIR_HELP = `Usage: npm run companion -- unpair ID [--settings <file>]
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
  help: UNPAIR_HELP,
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
