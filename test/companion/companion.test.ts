import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
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

const putElsewhere = () =>
  running.send(running.headers, "PUT", "/config", { ...WANTED, baseUrl: "https://other.example.com/base" });

describe("a companion whose provider changes", () => {
  it("lets pages reach the present provider, and no former one, when calls travel directly", async () => {
    await fillFolder(folder, { FEED_TRANSPORT: "direct" });
    running = await startOnFolder({ folder });
    const own = "connect-src 'self' https://appsforoffice.microsoft.com";
    expect(await readSources()).toBe(`${own} https://feed.example.com`);
    expect((await putElsewhere()).status).toBe(200);
    expect(await readSources()).toBe(`${own} https://other.example.com`);
  });

  it("lets pages reach itself alone when calls travel through it", async () => {
    await fillFolder(folder);
    running = await startOnFolder({ folder });
    const own = "connect-src 'self' https://appsforoffice.microsoft.com";
    expect(await readSources()).toBe(own);
    await putElsewhere();
    expect(await readSources()).toBe(own);
  });
});
