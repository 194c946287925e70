import { type Fault, inFile } from "../fault";

/** What is wrong with one instance of several, while the others are well. */
export const ROWS: readonly Fault[] = [
  {
    fault: "an instance is stopped and still accepts connections",
    injected: "SIGSTOP to one of three behind nginx, while twelve analysts wait for answers from it",
    seen: "every value: nginx asks each instance whether it answers, and passes a silent one over",
    tests: [
      inFile("test/firm/stopped.test.ts")(
        "shows every cell right while it stays stopped, also those that were under way in it",
      ),
      inFile("test/companion/deploy-nginx.test.ts")(
        "holds a read until an instance answers again, where all are silent",
      ),
    ],
    guard: { file: "src/companion/deploy/nginx.conf", from: "    auth_request /answers;\n", to: "" },
  },
  {
    fault: "the clock of one instance is off",
    injected: "an instance an hour and a half ahead of the others and of the store",
    seen: "every value, and nobody signs in again early; `/readyz` of that instance says `degraded`, its log by how much",
    tests: [
      inFile("test/companion/stores/clock.test.ts")("ends no pairing early, and says how far it is off"),
      inFile("test/firm/clock.test.ts")("signs everybody in, shows every cell right, and requests each company once"),
      inFile("test/firm/clock.test.ts")("reports it in that instance's health"),
    ],
    guard: {
      file: "src/companion/stores/redis/clock.ts",
      from: "nowMs: () => nowMs() - skewMs,",
      to: "nowMs,",
    },
  },
  {
    fault: "the store has more pairings than an instance holds",
    injected: "50,000 pairings on a genuine Redis; one ends while that is down, and an older copy comes back",
    seen: "an instance starts as fast as ever; whoever is paired reads on; the ended one is refused at every instance",
    tests: [
      inFile("test/companion/stores/many-pairings.test.ts")(
        "ends everywhere if the store was down, also if that comes back with an older copy",
      ),
      inFile("test/companion/stores/many-pairings.test.ts")(
        "reads none of them before it listens, and then those that are used",
      ),
    ],
    guard: {
      file: "src/companion/stores/redis/known-pairings.ts",
      from: "if (ended.length > 0) changes.unshift({ added: [], ended });",
      to: "",
    },
  },
];
