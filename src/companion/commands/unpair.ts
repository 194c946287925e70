import { type Command, EXIT_CODES_HELP, UsageError } from "./command";
import { openPairings, printPairings } from "./pair";

const HELP = `Usage: npm run companion -- unpair ID
       npm run companion -- unpair --all

Ends a pairing, or all of them with the code that waits. A running companion of the same user refuses its page from
then on. Without a word it lists who is paired.

Options
  --all              ends every pairing
  --help             this text

${EXIT_CODES_HELP}`;

/** Ends pairings. */
export const UNPAIR: Command = {
  summary: "ends a pairing, or all",
  help: HELP,
  options: { all: { type: "boolean" } },
  mostWords: 1,
  async run(values, [id], surroundings) {
    const { print } = surroundings;
    const pairings = openPairings(surroundings);
    if (values.all === true) {
      if (id !== undefined) throw new UsageError("Give the id of one pairing, or --all, and not both.");
      const count = await pairings.revoke();
      print(`Ended: ${count} ${count === 1 ? "pairing" : "pairings"}, and the code if one waited.`);
    } else if (id === undefined) {
      await printPairings(pairings, print);
      print("To end one, run: npm run companion -- unpair ID; for all of them: npm run companion -- unpair --all");
    } else {
      if ((await pairings.revoke(id)) === 0)
        throw new Error(`No pairing has the id "${id}". For the list, run: npm run companion -- pair --list`);
      print(`Ended: the pairing ${id}.`);
    }
    return undefined;
  },
};
