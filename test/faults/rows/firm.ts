import { type Fault, inFile } from "../fault";
import { ROWS as INSTANCE } from "./instance";
import { ROWS as SHARED_CACHE } from "./shared-cache";

const people = inFile("test/companion/authorisation/two-people.test.ts");
const foreign = inFile("test/companion/authorisation/foreign-rows.test.ts");
const cells = inFile("test/companion/authorisation/cells.test.ts");
const rowLimit = inFile("test/companion/authorisation/row-limit.test.ts");
const slow = inFile("test/companion/provider-reads-slow.test.ts");
const flood = inFile("test/companion/authorisation/flood.test.ts");
const shared = inFile("test/companion/shared/shared-reads.test.ts");
const instances = inFile("test/companion/shared/shared-instances.test.ts");
const outage = inFile("test/companion/stores/outage.test.ts");
const firm = inFile("test/firm/outages.test.ts");
const tokens = inFile("test/companion/sign-in/tokens.test.ts");

const RIGHTS: readonly Fault[] = [
  {
    fault: "somebody asks for what only others may read",
    injected: "two people with different rights at the same moment, whether it is known already or not",
    seen: "`#N/A` `FEED_SCOPE_MISSING` for the one, in the words for what does not exist; the value for the other",
    tests: [
      people("causes a provider request if they are alone, shared by all who request it"),
      people("only the entitled one gets an answer: %s"),
      people("gets the same answer as for a missing one, cached or not"),
      cells("show #N/A with a remedy for a company elsewhere"),
      cells("show all other companies of a batch with a company elsewhere"),
    ],
    guard: {
      file: "src/companion/reads/authorised-reads.ts",
      from: 'await trace.step("authorise", () => authorise(entitlements, request, findCompanyCountries));\n      const answer = await shared.read(request.operation, request.query, reader, wanted);',
      to: 'const answer = await shared.read(request.operation, request.query, reader, wanted);\n      await trace.step("authorise", () => authorise(entitlements, request, findCompanyCountries));',
    },
  },
  {
    fault: "an answer holds rows of a country or a company that the person may not read",
    injected:
      "bare, renamed and nested lists, statuses from 201 to 299, a byte order mark, names that stand twice, countries in other letters or absent, companies that were not asked for or stand within rows, errors with rows",
    seen: "`#N/A` `FEED_SCOPE_MISSING` with the reason; the answer for who may read it",
    tests: [
      foreign("statements of several companies with %s"),
      foreign("a page with status %i"),
      foreign("an error %i that contains them"),
      inFile("test/companion/authorisation/answer-property.test.ts")(
        "a person entitled to one country gets no row of another that the pane could read",
      ),
    ],
    guard: {
      file: "src/companion/reads/answer-check.ts",
      from: "if (fault === undefined) return answer;",
      to: "return answer;",
    },
  },
  {
    fault: "the provider has nothing for one person, and others with other rights ask for the same",
    injected: "404 to the one, known or under way",
    seen: "`#N/A` `FEED_NOT_FOUND` for the one; what the provider says to the others",
    tests: [
      shared("is requested by a reader with other entitlements, even if its absence is cached"),
      shared("is requested by a reader with other entitlements, cached or under way"),
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the source has it
    guard: { file: "src/companion/reads/shared/shared-cache.ts", from: " absent ${hash(className)}", to: " absent" },
  },
  {
    fault: "one person asks for more than a person may",
    injected: "thousands of companies by one, of twenty-one people at three instances",
    seen: "`#N/A` `FEED_RATE_LIMITED` with the seconds in that person's cells; values in everybody else's",
    tests: [
      flood("gets a time to retry, and no other person is limited"),
      flood("does not delay a person who requests one company"),
      inFile("test/firm/flood.test.ts")("is limited alone, by all instances together, and gets a time to retry"),
    ],
    guard: { file: "src/companion/reads/quota.ts", from: "if (waitMs === 0) return;", to: "if (waitMs >= 0) return;" },
  },
  {
    fault: "one person reads more rows than their share of pages has",
    injected: "ten requests with page_size 3000; a provider that gives 3,000 rows for 25",
    seen: "400 `FEED_REQUEST_INVALID` with the limit; rows beyond 1,000 count as further pages",
    tests: [
      rowLimit("has at most 1,000 rows, so that ten pages are 10,000"),
      rowLimit("is refused with the page_size '%s'"),
      rowLimit("counts as the pages its rows fill if the provider gives more than requested"),
    ],
    guard: { file: "src/companion/relay.ts", from: "checkPageSize(readRequest.query.path);", to: "" },
  },
];

const SIGN_IN: readonly Fault[] = [
  {
    fault: "a token that is forged, foreign or stale",
    injected: "a token for each reason to refuse one, at a genuine identity provider and after Microsoft's documents",
    seen: "nobody is signed in; the pane says why, and leads to the browser",
    tests: [
      tokens("is refused if it %s"),
      inFile("test/companion/sign-in/entra.test.ts")("is refused if it %s"),
      inFile("test/taskpane/sign-in.test.tsx")("is the fallback, with the reason, if the companion refuses the token"),
    ],
    guard: {
      file: "src/companion/sign-in/verify.ts",
      from: "if (!isGood(seen)) throw new TokenRefusal(reason);",
      to: "isGood(seen);",
    },
  },
  {
    fault: "the identity provider takes a key away",
    injected: "a genuine identity provider that signs by another key, and knows the former one no more",
    seen: "who signs in meanwhile is signed in, and nobody by the former key",
    tests: [
      tokens("are reread when it signs by a new one, without failing a sign-in"),
      tokens("are invalid once it has removed them"),
    ],
    guard: {
      file: "src/companion/sign-in/identity-provider.ts",
      from: "const KEYS_PAUSE_MS = 10_000;",
      to: "const KEYS_PAUSE_MS = 10_000_000;",
    },
  },
  {
    fault: "somebody is led to end a sign-in that another began",
    injected: "the address that a sign-in comes back to, opened in the browser of somebody who has begun one too",
    seen: "the page says that the sign-in is over, and nobody is paired",
    tests: [
      inFile("test/companion/sign-in/page.test.ts")(
        "ends in the browser that began it, so that it cannot be handed to another person",
      ),
    ],
    guard: {
      file: "src/companion/sign-in/page-routes.ts",
      from: " || toHash(browser) !== remembered.browserHash",
      to: "",
    },
  },
];

const INSTANCES: readonly Fault[] = [
  {
    fault: "an instance is killed",
    injected: "one of three, behind nginx, while twelve people fill workbooks",
    seen: "every value; what that instance had under way is asked for once more",
    tests: [
      outage("loses its leases in five seconds, as a dead one does"),
      firm("shows every cell right when an instance is killed, and repeats only its pending requests"),
    ],
    guard: {
      file: "src/companion/stores/redis/leases.ts",
      from: "const LIFETIME_MS = 5000;",
      to: "const LIFETIME_MS = 5_000_000;",
    },
  },
  {
    fault: "the store is killed, hangs or takes nothing any more",
    injected: "a genuine Redis that is killed, stopped or full, under instances and under twelve people",
    seen: "every value; nobody new comes in meanwhile",
    tests: [
      outage("waits for it once, and then not until it answers"),
      outage("works without the server, and admits or ends no pairing"),
      outage("continues alone if the server refuses writes, as when it is full"),
      firm("shows every cell right when Redis is killed; then each instance requests each company once"),
      firm("shows every cell right when Redis and the instance return, and shares again"),
    ],
    guard: {
      file: "src/companion/stores/redis/link.ts",
      from: 'if (answering.standing() !== "shared") return alone();',
      to: "",
    },
  },
  {
    fault: "several instances want the same at once",
    injected: "sixty people of three instances with overlapping questions, on a genuine Redis",
    seen: "every value, by one request for each company",
    tests: [instances("request each company once, however their readers' queries overlap")],
    guard: {
      file: "src/companion/stores/redis/leases.ts",
      from: "if not holder or holder == ARGV[1] then",
      to: "if true then",
    },
  },
  {
    fault: "the provider asks one instance to wait",
    injected: "429 to one of two, on a genuine Redis",
    seen: "none of them sends anything of that family until it is over; then values by themselves",
    tests: [
      inFile("test/companion/stores/provider-reads.test.ts")(
        "pause together when the provider demands it from one of them",
      ),
      inFile("test/companion/provider-reads-limits.test.ts")(
        "gets one probe after the pause, and no other if it demands another",
      ),
    ],
    guard: {
      file: "src/companion/relay/circuit-breaker.ts",
      from: "pubSub.publish(TOPIC, JSON.stringify({ ...paused, forMs, from: own }));",
      to: "",
    },
  },
  {
    fault: "a request of a companion in relay mode hangs",
    injected: "a provider that leaves one read, or one exchange, without an answer",
    seen: "the value, by a second request beside it, of which the firm's limit knows; no refresh is needed",
    tests: [
      slow("that hangs is answered by a hedging request, and cancelled"),
      slow("that is alive is awaited if the hedging request gets a %d"),
      slow("is hedged with an assertion of its own"),
      slow("is hedged at most five times, plus once for every ten answers"),
    ],
    guard: {
      file: "src/companion/relay/upstream.ts",
      from: "      return ready;",
      to: '      throw new Error("none");',
    },
  },
  {
    fault: "a provider takes long for the companies of several people",
    injected: "an answer to many that is slow, and none to those who ask beside it",
    seen: "everybody's values when it comes",
    tests: [
      inFile("test/companion/shared/broken-answers.test.ts")("that is slow still comes, though two retried beside it"),
      inFile("test/companion/shared/broken-answers.test.ts")(
        "that never comes because of one company leaves the others time to get theirs",
      ),
    ],
    guard: {
      file: "src/companion/reads/shared/financials/again.ts",
      from: "const pending = [later, alone.get(id)]",
      to: "const pending = [alone.get(id)]",
    },
  },
  {
    fault: "a pairing is ended at another instance",
    injected: "`unpair` at one of two, on a genuine Redis",
    seen: "`#N/A` `FEED_SIGNER_REFUSED` at both; the pane signs in anew",
    tests: [inFile("test/companion/stores/pairings.test.ts")("end on both, wherever they are ended")],
    guard: {
      file: "src/companion/stores/redis/known-pairings.ts",
      from: "apply({ added: [...added], ended: [...ended] });",
      to: "apply({ added: [...added], ended: [] });",
    },
  },
  {
    fault: "a changed key does not serve",
    injected: "a settings file that names a broken key, under a running companion",
    seen: "values by the former key; the log says what is wrong",
    tests: [
      inFile("test/companion/live-rotation.test.ts")(
        "keeps its key while the new one is invalid, reports that once, and switches when it is valid",
      ),
    ],
    guard: { file: "src/companion/rotation.ts", from: "if (mistakes.length > 0) {", to: "if (false) {" },
  },
];

export const ROWS: readonly Fault[] = [...RIGHTS, ...SIGN_IN, ...SHARED_CACHE, ...INSTANCES, ...INSTANCE];
