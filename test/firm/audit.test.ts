import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createPairings } from "../../src/companion/api/pairing";
import { createFilePairings } from "../../src/companion/api/pairing-state";
import { createKeySigner } from "../../src/companion/assertion";
import { runCommand } from "../../src/companion/command";
import { toFolder } from "../../src/companion/machine";
import { HELD } from "../../src/contract/companion-api";
import { type Audit, type AuditLog, openAudit } from "../../src/firm/reporting/audit";
import { type PairedCompanion, startPaired } from "../companion/paired-companion";
import { sendAndLeave, sendRaw } from "../companion/raw-request";
import { createConfiguration, openFor, withFirm } from "../companion/test-configuration";
import { itOnLinux } from "../support/posix";
import { type RunningProvider, startSandbox } from "../support/provider";
import { until } from "../support/until";
import { openFirm } from "./authorisation/firm";

const TREE = "/asia/industry-taxonomies/v1/tree";
const COMPANIES = "/asia/private-markets/v1/companies";
const JSON_TYPE = { "content-type": "application/json" };
const ADA = { id: "https://login.example.com ada", name: "Ada", roles: ["Analyst"] };
const NOW_MS = Date.UTC(2026, 10, 22, 12, 0);

let folder: string;
let path: string;

const readLines = (file = path) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-audit-"));
  path = join(folder, "audit.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the audit log", () => {
  const records: [object, string][] = [];
  const log: AuditLog = {
    error: (fields, message) => void records.push([fields, message]),
    warn: (fields, message) => void records.push([fields, message]),
  };
  const notify = (audit: Audit, id = "ab12cd34") =>
    audit.notifyPairing({ event: "paired", pairing: { id, person: ADA } });
  const open = () => openAudit(path, log, () => NOW_MS);

  beforeEach(() => void records.splice(0));

  it("is a file of its owner alone, with one line an event", async () => {
    for (const id of ["first", "second"]) {
      const audit = open();
      notify(audit, id);
      await audit.close();
    }
    const line = { at: "2026-11-22T12:00:00.000Z", event: "paired", person: ADA.id, name: "Ada" };
    expect(readLines()).toEqual([
      { ...line, pairing: "first" },
      { ...line, pairing: "second" },
    ]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("continues in a new file after the old one is moved, without losing a line", async () => {
    const audit = open();
    for (let count = 0; count < 100; count += 1) notify(audit, `before ${count}`);
    renameSync(path, `${path}.1`);
    audit.reopen();
    notify(audit, "after");
    await audit.close();
    const [old, present] = [readLines(`${path}.1`), readLines()];
    expect(old.length + present.length).toBe(101);
    expect(present.at(-1)).toMatchObject({ pairing: "after" });
  });

  // Linux alone has a disk that is always full.
  itOnLinux("reports a full disk once, and records the number of missing lines when there is room again", async () => {
    symlinkSync("/dev/full", path);
    const audit = open();
    notify(audit);
    await until(() => records.length > 0);
    notify(audit);
    unlinkSync(path);
    audit.reopen();
    notify(audit, "there is room");
    await audit.close();
    expect(records.map(([, message]) => message)).toEqual([
      "The audit log cannot be written, and reads go on without it.",
      "The audit log is written again, and lines are missing in it.",
    ]);
    expect(readLines()).toEqual([
      { at: "2026-11-22T12:00:00.000Z", event: "lost", lines: 2 },
      expect.objectContaining({ pairing: "there is room" }),
    ]);
  });

  it("that cannot be opened is refused with a sentence", () => {
    expect(() => openAudit(join(folder, "missing", "audit.jsonl"), log)).toThrow(
      /^FEED_AUDIT_FILE: .*audit\.jsonl cannot be written \(ENOENT\)\. Give the companion's user the right to\.$/,
    );
  });
});

it("names each person who signs in, with the codes of authorisation and quota refusals", async () => {
  const roles = { Analyst: { families: ["financials"], countries: "ALL" } } as const;
  const firm = await openFirm({ audit: path, roles, personPerMinute: 1 }, (_request, response) => response.end("{}"));
  const ada = await firm.signIn("Ada", ["Analyst"]);
  expect((await ada.get(TREE)).status).toBe(403);
  for (const [id, status] of [
    ["one", 200],
    ["two", 429],
  ] as const)
    expect((await ada.post([id])).status).toBe(status);
  await firm.close();
  const who = { event: "read", person: "issuer Ada", name: "Ada" };
  expect(readLines()).toEqual([
    expect.objectContaining({ ...who, family: "taxonomies", status: 403, refusal: "FEED_SCOPE_MISSING" }),
    expect.objectContaining({ ...who, family: "financials", status: 200 }),
    expect.objectContaining({ ...who, family: "financials", status: 429, refusal: "FEED_RATE_LIMITED" }),
  ]);
});

describe("a companion with an audit log", () => {
  let provider: RunningProvider;
  let companion: PairedCompanion;
  let headers: Record<string, string>;

  beforeAll(async () => {
    provider = await startSandbox({ companies: 20 });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    const { baseUrl, clientId, kid, privateKey } = provider;
    const client = { clientId, signers: [createKeySigner(kid, privateKey)] as const };
    const features = withFirm({ audit: path });
    const settings = { mode: "relay", provider: { baseUrl, client }, features } as const;
    companion = await startPaired({ configuration: createConfiguration(baseUrl, settings) });
    headers = { ...companion.paired, authorization: `Bearer ${HELD}` };
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    await companion.send("POST", "/companion/relay/token", form, `client_assertion=${HELD}`);
  });
  afterEach(async () => {
    await companion.app.close();
    provider.controls.reset();
  });

  /** Closes the companion to flush the log, and reads it. */
  const end = async () => {
    await companion.app.close();
    return readLines();
  };

  const read = (path: string, more: Record<string, string> = {}) =>
    companion.send("GET", `/companion/relay${path}`, { ...headers, ...more });

  it("records person, family and success of each read, and neither query nor answer", async () => {
    const { body } = await read(`${COMPANIES}?country=JPN&page_size=1`);
    const [{ id }] = JSON.parse(body).data;
    for (let count = 0; count < 2; count += 1) expect((await read(`${COMPANIES}/${id}`)).status).toBe(200);
    const lines = await end();
    const line = {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      event: "read",
      family: "companies",
      status: 200,
    };
    expect(lines).toEqual([
      expect.objectContaining({ ...line, operation: "searchCompanies", asked: 1, known: 0 }),
      expect.objectContaining({ ...line, operation: "getCompany", asked: 1, known: 0 }),
      expect.objectContaining({ ...line, operation: "getCompany", asked: 1, known: 1 }),
    ]);
    expect(lines[0].pairing).toMatch(/^[0-9a-f]{12}$/);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${id}|JPN|Bearer|${HELD}`));
  });

  it("records a read whose caller left before its answer, with what it had the provider asked for", async () => {
    provider.controls.latencyMs = 30;
    const leave = sendAndLeave(companion.port, "GET", `/companion/relay${COMPANIES}?country=JPN&page_size=1`, headers);
    await until(() => provider.controls.requests.some(({ operationId }) => operationId === "searchCompanies"));
    leave();
    await until(() => readFileSync(path, "utf8") !== "");
    expect(await end()).toEqual([
      expect.objectContaining({ event: "read", operation: "searchCompanies", asked: 1, known: 0, status: 499 }),
    ]);
  });

  it("records the provider's error by trace id, and the companion's own by code", async () => {
    expect((await read(`${COMPANIES}/0f8fad5b-d9cb-469f-a165-70867728950e`)).status).toBe(404);
    expect((await read(`${COMPANIES}?country=JPN&colour=red`)).status).toBe(400);
    const [missing, malformed] = await end();
    expect(missing).toMatchObject({ status: 404, traceId: expect.any(String) });
    expect(malformed).toMatchObject({ status: 400, refusal: "FEED_REQUEST_INVALID" });
  });

  it("records pairings made and ended, and no requests of strangers", async () => {
    const code = JSON.stringify({ code: await companion.pairings.issueSent() });
    const { "feed-pairing": _bearer, ...stranger } = headers;
    const { body } = await sendRaw(companion.port, "POST", "/companion/pairing", { ...stranger, ...JSON_TYPE }, code);
    const { id, bearer } = JSON.parse(body);
    const ending = companion.send("DELETE", "/companion/pairing", { "feed-pairing": bearer });
    expect((await ending).status).toBe(204);
    expect((await read(COMPANIES, { "feed-pairing": "guessed" })).status).toBe(401);
    expect((await end()).map(({ event, pairing }) => [event, pairing])).toEqual([
      ["paired", id],
      ["ended", id],
    ]);
  });

  it("records a pairing that the command unpair ended, with the time of its end", async () => {
    await companion.app.close();
    const home = join(folder, "home");
    const run = (...words: string[]) =>
      runCommand(words, { environment: {}, webFolder: "", print: () => {}, folder: home, nowMs: () => NOW_MS });
    const file = openFor(createPairings(createFilePairings(toFolder(home).pairings), Date.now));
    const { id } = await file.pairPerson({ person: ADA, endsAtMs: Date.now() + 60_000 }, "https://feed.example.com");
    await run("unpair", id);
    const settings = { mode: "relay", features: withFirm({ audit: path }) } as const;
    companion = await startPaired({ configuration: createConfiguration(undefined, settings), pairings: file });
    await until(() => readLines().length > 0);
    expect(readLines()).toEqual([
      { at: new Date(NOW_MS).toISOString(), event: "revoked", pairing: id, person: ADA.id, name: "Ada" },
    ]);
  });
});
