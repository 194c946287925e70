import { type Fault, inFile } from "../fault";

const api = inFile("test/companion/api.test.ts");
const relay = inFile("test/companion/relay.test.ts");
const pages = inFile("test/e2e/companion-api-origins.test.ts");
const files = inFile("test/companion/pages.test.ts");

const GUARDS = "src/companion/api/guards.ts";
const ASSERTION = "src/companion/api/assertion-route.ts";
const URLS = "src/companion/relay/provider-url.ts";
const RELAY = "src/companion/relay.ts";

const PAGES: readonly Fault[] = [
  {
    fault: "a page of another origin asks without a preflight",
    injected: "two origins in Chromium, and raw requests",
    seen: "403; logged, and the key is not used",
    tests: [api("to a page of another origin"), pages("is refused requests without a preflight, and reads nothing")],
    guard: {
      file: GUARDS,
      from: "if (headers.origin === undefined || headers.origin === toOwnOrigin(headers.host, address)) return undefined;",
      to: "return undefined;",
    },
  },
  {
    fault: "a page of another origin asks with a preflight",
    injected: "two origins in Chromium, and raw requests",
    seen: "403 to the preflight; the request is never sent",
    tests: [
      api("to no header of its pages"),
      api("to a preflight"),
      pages("is refused the preflight of every other request, which is never sent"),
    ],
    guard: {
      file: GUARDS,
      from: "if (headers[CLIENT_HEADER] === CLIENT_NAME) return undefined;",
      to: "return undefined;",
    },
  },
  {
    fault: "a form that another page posts by navigation",
    injected: "forms of five kinds in Chromium, and raw requests",
    seen: "403, or 415 for the form's type",
    tests: [api("to a request of another site"), api("to a form"), pages("is refused a %s form of %s to %s")],
    guard: {
      file: GUARDS,
      from: 'if (site === undefined || site === "same-origin" || site === "none") return undefined;',
      to: "return undefined;",
    },
  },
  {
    fault: "DNS rebinding",
    injected: "a foreign name that leads to this machine, in Chromium and by raw requests",
    seen: "421",
    tests: [
      api("to a rebound name"),
      pages("is refused everything with 421 on the companion's own port, even with a stolen pairing"),
    ],
    guard: {
      file: GUARDS,
      from: 'if (toOwnOrigin(headers.host, address) !== undefined && url.startsWith("/")) return undefined;',
      to: "return undefined;",
    },
  },
  {
    fault: "no pairing token, or a wrong one",
    injected: "none, an invented one, one that was ended, one of another origin",
    seen: "401, with how to pair",
    tests: [
      api("to an unpaired page, with instructions for pairing"),
      api("to an invented pairing"),
      api("to an ended pairing"),
      api("to a pairing of another origin, even if both are its own"),
      api("to an unpaired page, with instructions for pairing"),
    ],
    guard: {
      file: GUARDS,
      from: 'if (pairing !== null || when === "never") return undefined;',
      to: "return undefined;",
    },
  },
  {
    fault: "a pairing code is seen by somebody else",
    injected: "the code without the secret of the page that asked, and with another page's",
    seen: "403; the page that asked is paired all the same",
    tests: [
      inFile("test/companion/pairing-api.test.ts")("let a page request a code, which is valid for that page alone"),
      inFile("test/companion/sign-in/codes.test.ts")(
        "is valid for the pane that began the sign-in, whatever another pane tries",
      ),
    ],
    guard: {
      file: "src/companion/api/pairing-codes.ts",
      from: '[toTyped(code), page].join(" ")',
      to: "toTyped(code)",
    },
  },
  {
    fault: "somebody keeps as many connections open as there may be",
    injected: "twice as many, used and not, on real sockets",
    seen: "whoever comes is answered: the connection that has been idle for the longest is ended",
    tests: [
      inFile("test/companion/connections.test.ts")("answers a new connection, whether the others are used or not"),
    ],
    guard: {
      file: "src/companion/connections.ts",
      from: "if (open.size >= server.maxConnections) endOldest(socket);",
      to: "",
    },
  },
  {
    fault: "the playground is opened at a firm's companion",
    injected: "companions with further origins or a sign-in; its address in ten spellings",
    seen: "404, unless an administrator has switched it on",
    tests: [files("is off if %s, at any address, and the pages open with the pane"), files("is served by %s")],
    guard: { file: "src/companion/configuration.ts", from: 'isOfOne ? "on" : "off"', to: '"on"' },
  },
  {
    fault: "another site frames the playground, or has it compile code",
    injected: "the policy of each page, by its address in several spellings; eval in Chromium",
    seen: "the browser shows no such frame, and compiles nothing",
    tests: [
      files("are framed by themselves alone: %s"),
      files("load scripts from themselves, the pane also from Office, and compile none"),
      inFile("test/playground/formula-code.test.ts")("is not run if it is no formula's: %s"),
      inFile("test/e2e/playground-pane.test.ts")("compiles no code, whatever a script requests"),
    ],
    guard: {
      file: "src/companion/pages.ts",
      from: "boolean => url.startsWith(PANE);",
      to: "boolean => url !== undefined;",
    },
  },
  {
    fault: "an oversized body",
    injected: "raw requests",
    seen: "413",
    tests: [api("to a large body"), relay("refuses a body larger than any batch")],
    guard: { file: ASSERTION, from: "const BODY_LIMIT_BYTES = 1024;", to: "const BODY_LIMIT_BYTES = 1024 * 1024;" },
  },
  {
    fault: "claims in the body",
    injected: "an audience, a client id, a list, null, broken JSON",
    seen: "400; nothing is signed",
    tests: [api("to a claim"), api("to a client id"), api("to a list"), api("to null"), api("to broken JSON")],
    guard: { file: ASSERTION, from: "if (!/^\\s*(\\{\\s*\\})?\\s*$/.test(text)) {", to: "if (false) {" },
  },
  {
    fault: "secrets in the log",
    injected: "calls that succeed, fail and are refused, at every level",
    seen: "no key, assertion, token, bearer or body",
    tests: [
      {
        file: "test/companion/logs.test.ts",
        title: "hold no key, assertion, token, bearer or body at any level, for success, failure and refusal",
      },
    ],
    guard: {
      file: "src/companion/log.ts",
      from: "return { pairing, kid: keyId, jti: jti?.slice(0, ID_SHOWN) };",
      to: "return { pairing, kid: keyId, ...arguments[1] };",
    },
  },
];

const PATHS: readonly Fault[] = [
  {
    fault: "`..` and encoded slashes in a path through the relay",
    injected: "28 bent paths, and 10,000 raw requests of them",
    seen: "400 or 404; nothing reaches the provider",
    tests: [
      relay("refuses the path %s"),
      {
        file: "test/companion/relay-fuzz.test.ts",
        title: "reach the provider as operations of the contract alone, and no other server",
      },
    ],
    guard: { file: URLS, from: "if (!PLAIN_ID.test(id)) throw", to: "if (false) throw" },
  },
  {
    fault: "an absolute URL, or another host",
    injected: "request lines that name a server, and 10,000 raw requests beside a server that must hear nothing",
    seen: "421 or 404; nobody is asked",
    tests: [
      relay("refuses a request line that names %s"),
      {
        file: "test/companion/relay-fuzz.test.ts",
        title: "reach the provider as operations of the contract alone, and no other server",
      },
    ],
    guard: { file: GUARDS, from: '&& url.startsWith("/")) return undefined;', to: ") return undefined;" },
  },
  {
    fault: "a method that is not in the API",
    injected: "raw requests",
    seen: "404; nothing reaches the provider",
    tests: [relay("refuses %s %s")],
    guard: { file: RELAY, from: "exposeHeadRoute: false,", to: "exposeHeadRoute: true," },
  },
  {
    fault: "a path or a parameter that is not in the API",
    injected: "raw requests",
    seen: "404 or 400; nothing reaches the provider",
    tests: [relay("refuses the query %s, which the operation lacks"), relay("refuses the path %s")],
    guard: { file: URLS, from: "if (given.some((name) => !names.includes(name)) ||", to: "if (" },
  },
  {
    fault: '`encodeURIComponent("..")` is `..`',
    injected: "such ids, in formulas too",
    seen: "`#N/A` `FEED_NOT_FOUND`; it is only ever looked for as a registration number",
    tests: [
      { file: "test/client/provider.test.ts", title: "refuses the id %p" },
      {
        file: "test/faults/companion-api.test.ts",
        title: "finds no company by %s, which stands in no path",
      },
    ],
    guard: { file: "src/client/provider.ts", from: "if (!isPathSegment(value)) {", to: "if (false) {" },
  },
  {
    fault: "an id that passes and leads elsewhere all the same",
    injected: "a base URL that changes when it is read",
    seen: "400; the final address is compared with the expected one",
    tests: [relay("is refused if it is not a path of the contract")],
    guard: { file: URLS, from: "if (new URL(expected).href !== expected) throw", to: "if (false) throw" },
  },
];

export const ROWS: readonly Fault[] = [...PAGES, ...PATHS];
