import { createPairings, type Pairings, toCodeSentence } from "../door/pairing";
import { createFilePairings } from "../door/pairing-state";
import { type Command, EXIT_CODES_HELP, findFolder, type Surroundings } from "./command";

const HELP = `Usage: npm run companion -- pair [--list]

Makes the code that pairs the FEED pane with the companion: good for five minutes, five tries and one pairing. A new
code ends the one before. It acts on the companion of the same user, running or not, which needs no restart.

Options
  --list             lists who is paired: id, origin, for whom and since when; makes no code
  --help             this text

${EXIT_CODES_HELP}`;

/** Makes a pairing code, or lists the pairings. */
export const PAIR: Command = {
  summary: "makes the code that pairs a page with the companion, or lists who is paired",
  help: HELP,
  options: { list: { type: "boolean" } },
  async run(values, _words, surroundings) {
    const pairings = openPairings(surroundings);
    if (values.list === true) await printPairings(pairings, surroundings.print);
    else surroundings.print(toCodeSentence(await pairings.issue()));
    return undefined;
  },
};

/** Opens the pairings of the person's companion, which sees at once what is changed here. */
export function openPairings(surroundings: Surroundings): Pairings {
  return createPairings(createFilePairings(findFolder(surroundings).pairings), surroundings.nowMs ?? Date.now);
}

/** Prints one line for each pairing, or that there is none. */
export async function printPairings(pairings: Pairings, print: Surroundings["print"]): Promise<void> {
  const list = await pairings.list();
  if (list.length === 0) print("Nobody is paired. For a code, run: npm run companion -- pair");
  for (const { id, origin, provider, pairedAtMs } of list) {
    const since = new Date(pairedAtMs).toISOString().slice(0, 16).replace("T", " ");
    print(`${id}  ${origin}  for ${provider}  since ${since} UTC`);
  }
}
