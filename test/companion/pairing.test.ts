import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createPairings, type Pairings } from "../../src/companion/api/pairing";
import { createFilePairings, createMemoryPairings } from "../../src/companion/api/pairing-state";
import { UsageError } from "../../src/companion/commands/results";
import { openPairings } from "../../src/companion/commands/surroundings";
import { toFolder } from "../../src/companion/machine";
import { createInstances, hasServer } from "../firm/stores/instances";
import { runWell } from "./command-run";
import FILES from "./pairing-files.json";
import { createProvider, openFor, type TestPairings } from "./test-configuration";

const ORIGIN = "https://localhost:3000";
const MINUTES = 60_000;
const REFUSED = {
  statusCode: 403,
  code: "FEED_PAIRING_CODE_WRONG",
  message: "That is not the pairing code for this page, or it has ended. For a new one, run: npm run companion -- pair",
};

const SIGNED_IN = { person: { id: "https://login.example.com 1", roles: [] }, endsAtMs: Date.UTC(2027, 0, 1) };

const instances = hasServer() ? createInstances() : undefined;
let nowMs: number;
let pairings: TestPairings;

beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1);
});
afterEach(() => void jest.restoreAllMocks());

/** The visible part of a code, and the page's secret. */
const toParts = (sent: string) => sent.split(".") as [code: string, secret: string];
/** A well-formed code that differs. */
const toOther = (code: string) => (code.startsWith("A") ? "B" : "A") + code.slice(1);
const pair = async (origin = ORIGIN) => pairings.pair(await pairings.issueSent(), origin);

const KINDS: [string, () => Pairings][] = [["memory", () => createPairings(createMemoryPairings(), () => nowMs)]];
if (instances !== undefined) KINDS.push(["Redis", () => instances.start(() => nowMs).stores.pairings]);

describe.each(KINDS)("in %s", (_place, create) => {
  beforeEach(() => {
    pairings = openFor(create());
  });
  describe("a pairing code", () => {
    it("has eight unambiguous characters, new each time", async () => {
      const codes = await Promise.all(Array.from({ length: 100 }, () => pairings.issueSent()));
      expect(new Set(codes).size).toBe(100);
      for (const sent of codes) expect(toParts(sent)[0]).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    });

    it("gives a bearer of 256 bits or more for a pairing with an id of 48 bits, unique in a firm", async () => {
      const [{ id, bearer }, other] = [await pair(), await pairings.pairPerson(SIGNED_IN, ORIGIN)];
      expect(Buffer.from(bearer, "base64url").length).toBeGreaterThanOrEqual(32);
      expect((await pairings.find(bearer, ORIGIN))?.id).toBe(id);
      for (const each of [id, other.id]) expect(each).toMatch(/^[0-9a-f]{12}$/);
      expect(id).not.toBe(other.id);
    });

    it("is accepted in lower case, with spaces and without its dash", async () => {
      const [code, secret] = toParts(await pairings.issueSent());
      const written = ` ${code.toLowerCase().replace("-", "  ")} `;
      await expect(pairings.pair(`${written}.${secret}`, ORIGIN)).resolves.toBeDefined();
    });

    it("is valid once", async () => {
      const code = await pairings.issueSent();
      await pairings.pair(code, ORIGIN);
      await expect(pairings.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
    });

    it("is valid for one of two simultaneous exchanges", async () => {
      const code = await pairings.issueSent();
      const results = await Promise.allSettled([pairings.pair(code, ORIGIN), pairings.pair(code, ORIGIN)]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await pairings.list()).toHaveLength(1);
    });

    it("is created for the named page or the only waiting one", async () => {
      await expect(pairings.issue()).rejects.toThrow("No FEED pane asks for a code. Open the pane");
      const first = await pairings.createRequest(ORIGIN);
      expect((await pairings.issue()).name).toBe(first.name);
      nowMs += 1; // in the order of the requests
      const second = await pairings.createRequest(ORIGIN);
      await expect(pairings.issue()).rejects.toThrow(`${first.name} (${ORIGIN}), ${second.name} (${ORIGIN})`);
      await expect(pairings.issue("ZZZZZ")).rejects.toThrow('shows "ZZZZZ"');
      const { code, name } = await pairings.issue(` ${second.name.toLowerCase()} `);
      expect(name).toBe(second.name);
      await expect(pairings.pair(`${code}.${first.secret}`, ORIGIN)).rejects.toMatchObject(REFUSED);
      await pairings.pair(`${code}.${second.secret}`, ORIGIN);
      expect((await pairings.issue()).name).toBe(first.name); // a paired page no longer waits
    });

    it("is not created for a page that requested it an hour ago", async () => {
      await pairings.createRequest(ORIGIN);
      nowMs += 60 * MINUTES;
      await expect(pairings.issue()).rejects.toThrow("No FEED pane asks for a code");
    });

    it("is valid for five minutes", async () => {
      const code = await pairings.issueSent();
      nowMs += 5 * MINUTES - 1;
      await expect(pairings.pair(code, ORIGIN)).resolves.toBeDefined();
      const late = await pairings.issueSent();
      nowMs += 5 * MINUTES;
      await expect(pairings.pair(late, ORIGIN)).rejects.toMatchObject(REFUSED);
    });

    it("is still valid after four wrong attempts", async () => {
      const code = await pairings.issueSent();
      for (let tries = 0; tries < 4; tries += 1)
        await expect(pairings.pair(toOther(code), ORIGIN)).rejects.toMatchObject(REFUSED);
      await expect(pairings.pair(code, ORIGIN)).resolves.toBeDefined();
    });

    it("expires with the fifth wrong attempt, even if all come at once", async () => {
      const code = await pairings.issueSent();
      await Promise.allSettled(Array.from({ length: 5 }, () => pairings.pair(toOther(code), ORIGIN)));
      await expect(pairings.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
    });

    it("expires when another is created, which has its own five attempts", async () => {
      const first = await pairings.issueSent();
      await expect(pairings.pair(toOther(first), ORIGIN)).rejects.toMatchObject(REFUSED);
      const second = await pairings.issueSent();
      for (let tries = 0; tries < 4; tries += 1)
        await expect(pairings.pair(first, ORIGIN)).rejects.toMatchObject(REFUSED);
      await expect(pairings.pair(second, ORIGIN)).resolves.toBeDefined();
    });

    const none = ["", "-", "ABCD", "ABCD-EFGH-JKLM", "🗝", "A".repeat(900)];
    it.each(none)("is not '%s', refused in the same words", async (written) => {
      await expect(pairings.pair(written, ORIGIN)).rejects.toMatchObject(REFUSED);
      await pairings.issueSent();
      await expect(pairings.pair(written, ORIGIN)).rejects.toMatchObject(REFUSED);
    });
  });

  describe("a pairing", () => {
    it("is for one origin", async () => {
      const { bearer } = await pair();
      expect(await pairings.find(bearer, "http://localhost:3000")).toBeUndefined();
      expect(await pairings.find(bearer, "https://localhost:3001")).toBeUndefined();
      expect(await pairings.find("", ORIGIN)).toBeUndefined();
    });

    it("is for one provider, and survives while the companion signs for another", async () => {
      let provider = createProvider("https://first.example.com");
      const own = pairings.of(() => provider);
      const { id, bearer } = await own.pair(await pairings.issueSent(), ORIGIN);
      for (const other of [createProvider("https://first.example.com/base"), createProvider(undefined, true)]) {
        provider = other;
        expect(await own.find(bearer, ORIGIN)).toBeUndefined();
      }
      expect(await pairings.list("https://first.example.com/base")).toEqual([]);
      expect(await pairings.list("https://first.example.com")).toMatchObject([{ id }]);
      provider = createProvider("https://first.example.com");
      expect(await own.find(bearer, ORIGIN)).toMatchObject({ id });
    });

    it("is for sample data at any address", async () => {
      const [first, second] = ["http://localhost:3000/sandbox", "http://localhost:4000/sandbox"].map((baseUrl) =>
        pairings.of(() => createProvider(baseUrl, true)),
      );
      const { bearer } = await first!.pair(await pairings.issueSent(), ORIGIN);
      expect(await second!.find(bearer, ORIGIN)).toMatchObject({ provider: "sample" });
    });

    it("is listed with its origin and time, in the order of creation", async () => {
      const first = await pair();
      nowMs += MINUTES;
      const second = await pair("https://127.0.0.1:3000");
      expect(await pairings.list()).toMatchObject([
        { id: first.id, origin: ORIGIN, pairedAtMs: nowMs - MINUTES },
        { id: second.id, origin: "https://127.0.0.1:3000", pairedAtMs: nowMs },
      ]);
    });

    it("ends alone", async () => {
      const [first, second] = [await pair(), await pair()];
      const code = await pairings.issueSent();
      expect(await pairings.revoke(first.id)).toBe(1);
      expect(await pairings.revoke(first.id)).toBe(0);
      expect(await pairings.find(first.bearer, ORIGIN)).toBeUndefined();
      expect(await pairings.find(second.bearer, ORIGIN)).toBeDefined();
      await expect(pairings.pair(code, ORIGIN)).resolves.toBeDefined();
    });

    it("ends with all others and with a pending code", async () => {
      const bearers = [await pair(), await pair()].map(({ bearer }) => bearer);
      const code = await pairings.issueSent();
      expect(await pairings.revoke()).toBe(2);
      for (const bearer of bearers) expect(await pairings.find(bearer, ORIGIN)).toBeUndefined();
      await expect(pairings.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
    });
  });

  describe("a pairing of a person who signed in", () => {
    const person = { id: "https://login.example.com 1", roles: ["analyst"] };

    it("identifies the person, and ends with the sign-in", async () => {
      const { id, bearer } = await pairings.pairPerson({ person, endsAtMs: nowMs + MINUTES }, ORIGIN);
      nowMs += MINUTES - 1;
      expect(await pairings.find(bearer, ORIGIN)).toMatchObject({ id, person, pairedAtMs: nowMs - MINUTES + 1 });
      expect(await pairings.list()).toMatchObject([{ id }]);
      nowMs += 1;
      expect([await pairings.find(bearer, ORIGIN), await pairings.list()]).toEqual([undefined, []]);
    });

    it("is removed when the next page is paired after its end", async () => {
      const signedIn = await pairings.pairPerson({ person, endsAtMs: nowMs + MINUTES }, ORIGIN);
      nowMs += MINUTES;
      await pair();
      expect([await pairings.revoke(signedIn.id), await pairings.revoke()]).toEqual([0, 1]);
    });
  });
});

describe("the file of pairings", () => {
  let folder: string;
  let path: string;
  const open = () => openFor(createPairings(createFilePairings(path), () => nowMs));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pairings-"));
    path = join(folder, "pairings.json");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("contains neither code nor bearer", async () => {
    const code = await open().issueSent();
    const waiting = readFileSync(path, "utf8");
    const { bearer } = await open().pair(code, ORIGIN);
    const text = waiting + readFileSync(path, "utf8");
    const [typed, secretOfPage] = toParts(code);
    for (const secret of [typed, typed.replace("-", ""), secretOfPage, bearer]) expect(text).not.toContain(secret);
    const made = { origin: ORIGIN, provider: "https://feed.example.com/base", pairedAtMs: nowMs };
    const pairing = { ...made, id: expect.any(String), hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const stored = JSON.parse(readFileSync(path, "utf8"));
    expect(stored).toEqual({ code: null, requests: [], revoked: [], pairings: [pairing] });
  });

  it("shares codes and pairings among several programs, also after it was long unchanged", async () => {
    const { now } = Date;
    jest.spyOn(Date, "now").mockImplementation(() => now() + MINUTES);
    const [terminal, companion] = [open(), open()];
    const { id, bearer } = await companion.pair(await terminal.issueSent(), ORIGIN);
    // From now on the companion has the file's value in its memory.
    expect(await companion.find(bearer, ORIGIN)).toBeDefined();
    await terminal.revoke(id);
    expect(await companion.find(bearer, ORIGIN)).toBeUndefined();
  });

  it("counts the attempts of two programs together", async () => {
    const [one, other] = [open(), open()];
    const code = await one.issueSent();
    const tries = [one, other, one, other, one].map((each) => each.pair(toOther(code), ORIGIN));
    await Promise.allSettled(tries);
    await expect(other.pair(code, ORIGIN)).rejects.toMatchObject(REFUSED);
  });

  /** Lists the pairings of a file with this content. */
  const list = (state: unknown) => {
    writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
    return openPairings({ environment: {}, webFolder: "", print: () => {}, folder }).list();
  };

  it.each(FILES.read)("is read as it was written: %j", async (state) => {
    expect(await list(state)).toEqual(state.pairings);
  });

  it.each(Object.entries(FILES.refused))("that holds %s is refused with a sentence", async (_what, state) => {
    await expect(list(state)).rejects.toThrow(
      `${path} does not hold what this program wrote. Mend it, or delete it and set up again.`,
    );
  });
});

describe("at the terminal", () => {
  const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
  const SINCE = `${ORIGIN}  for https://feed.example.com/base  since 2026-01-02 03:04 UTC`;
  const NOBODY = "Nobody is paired. For a code, run: npm run companion -- pair";
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pair-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (...words: string[]) => runWell(words, { folder, nowMs: () => NOW_MS });

  const open = () => openFor(createPairings(createFilePairings(toFolder(folder).pairings), () => NOW_MS));
  /** Requests a code as a page does, and creates it by the command. */
  async function makeCode() {
    const { name, secret } = await open().createRequest(ORIGIN);
    const lines = await run("pair", name);
    const [code] = /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/.exec(lines.join("\n"))!;
    return { name, code, lines, sent: `${code}.${secret}` };
  }
  const pair = async () => open().pair((await makeCode()).sent, ORIGIN);

  describe("the command pair", () => {
    it("prints a valid code and how to use it", async () => {
      const { name, code, lines, sent } = await makeCode();
      expect(lines).toEqual([
        `Pairing code: ${code}. Enter it within five minutes in the FEED pane that shows ${name}; it pairs that page alone, and five wrong tries end it.`,
      ]);
      await expect(open().pair(sent, ORIGIN)).resolves.toBeDefined();
    });

    it("needs no page name if one page waits", async () => {
      const { name } = await open().createRequest(ORIGIN);
      expect((await run("pair")).join()).toContain(`in the FEED pane that shows ${name}`);
      await expect(run("pair", name, "--list")).rejects.toThrow(UsageError);
    });

    it("lists the pairings without creating a code", async () => {
      expect(await run("pair", "--list")).toEqual([NOBODY]);
      const { id, bearer } = await pair();
      const waiting = await makeCode();
      const lines = await run("pair", "--list");
      expect(lines).toEqual([`${id}  ${SINCE}`]);
      expect(lines.join()).not.toContain(bearer);
      await expect(open().pair(waiting.sent, ORIGIN)).resolves.toBeDefined();
    });

    it("lists people who signed in by name or id, and until when, and none whose sign-in has ended", async () => {
      const person = { id: "https://login.example.com ada", roles: [] };
      const endsAtMs = NOW_MS + 3_600_000;
      await open().pairPerson({ person, endsAtMs: NOW_MS }, ORIGIN);
      expect(await run("pair", "--list")).toEqual([NOBODY]);
      const first = await open().pairPerson({ person: { ...person, name: "ada@example.com" }, endsAtMs }, ORIGIN);
      const second = await open().pairPerson({ person, endsAtMs }, ORIGIN);
      expect(await run("pair", "--list")).toEqual([
        `${first.id}  ${SINCE} until 2026-01-02 04:04 UTC  ada@example.com`,
        `${second.id}  ${SINCE} until 2026-01-02 04:04 UTC  https://login.example.com ada`,
      ]);
    });
  });

  describe("the command unpair", () => {
    it("ends all pairings and a pending code", async () => {
      await pair();
      const { sent } = await makeCode();
      expect(await run("unpair", "--all")).toEqual(["Ended: 1 pairing, and the code if one waited."]);
      expect(await open().list()).toEqual([]);
      await expect(open().pair(sent, ORIGIN)).rejects.toMatchObject(REFUSED);
    });

    it("lists the pairings and explains its use without an argument", async () => {
      const { id } = await pair();
      expect(await run("unpair")).toEqual([
        `${id}  ${SINCE}`,
        "To end one, run: npm run companion -- unpair ID; for all of them: npm run companion -- unpair --all",
      ]);
      expect(await open().list()).toHaveLength(1);
    });

    it("ends the named pairing, and fails for an unknown id, and for an id with --all", async () => {
      const [ended, { id }] = [await pair(), await pair()];
      expect(await run("unpair", ended.id)).toEqual([`Ended: the pairing ${ended.id}.`]);
      const sentence = 'No pairing has the id or name "x". For the list, run: npm run companion -- pair --list';
      await expect(run("unpair", "x")).rejects.toThrow(sentence);
      await expect(run("unpair", id, "--all")).rejects.toThrow(UsageError);
      expect(await open().list()).toMatchObject([{ id }]);
    });
  });
});
