import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { requestCode } from "./code-request";
import { sendRaw } from "./raw-request";
import { createFolder, fillFolder, type OnFolder, startOnFolder, WANTED } from "./set-up-companion";

const folder = createFolder();
let running: OnFolder;

afterEach(() => running.app.close());
afterAll(() => folder.remove());

async function readSources(): Promise<string | undefined> {
  const { headers } = await sendRaw(running.port, "GET", "/taskpane.html");
  const policy = String(headers["content-security-policy"]).split(";");
  return policy.find((directive) => directive.startsWith("connect-src"));
}

/** Sets up the first provider and pairs with the printed code; gives the log from there on. */
async function listLinesOfPairing(environment: Record<string, string>): Promise<string[]> {
  const own = createFolder();
  const lines: string[] = [];
  running = await startOnFolder({ folder: own, environment, log: { write: (line) => void lines.push(line) } });
  const { send, headers, messages } = running;
  await send(headers, "POST", "/keys", {});
  await send(headers, "PUT", "/config", WANTED);
  const { secret } = await requestCode(running.port);
  const [typed] = messages[1]!.match(/\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/) ?? [];
  const code = `${typed}.${secret}`;
  lines.length = 0;
  expect((await send({ [CLIENT_HEADER]: CLIENT_NAME }, "POST", "/pairing", { code })).status).toBe(200);
  own.remove();
  return lines;
}

const putElsewhere = () =>
  running.send(running.headers, "PUT", "/config", { ...WANTED, baseUrl: "https://other.example.com/base" });

describe("a companion whose provider changes", () => {
  it("lets pages reach the current provider alone when calls go directly", async () => {
    await fillFolder(folder, { FEED_TRANSPORT: "direct" });
    running = await startOnFolder({ folder });
    const own = "connect-src 'self' https://appsforoffice.microsoft.com";
    expect(await readSources()).toBe(`${own} https://feed.example.com`);
    expect((await putElsewhere()).status).toBe(200);
    expect(await readSources()).toBe(`${own} https://other.example.com`);
  });

  it("lets pages reach itself alone when calls go through it", async () => {
    await fillFolder(folder);
    running = await startOnFolder({ folder });
    const own = "connect-src 'self' https://appsforoffice.microsoft.com";
    expect(await readSources()).toBe(own);
    await putElsewhere();
    expect(await readSources()).toBe(own);
  });

  it("logs as with a provider from then on, unless a level is set", async () => {
    expect(await listLinesOfPairing({ LOG_LEVEL: "" })).toEqual([expect.stringContaining("A page was paired.")]);
    await running.app.close();
    expect(await listLinesOfPairing({ LOG_LEVEL: "warn" })).toEqual([]);
  });
});
