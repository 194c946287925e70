import type { RequestListener } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { createIdentityProvider } from "../../../src/firm/sign-in/identity-provider";
import { createProviderServer } from "../../companion/provider-server";
import { readTestCertificate } from "../../support/certificate";

/** Discovers an identity provider with the given answer; gives the error's sentence and the requested paths. */
async function discover(answer: RequestListener, certificate?: { cert: string; key: string }) {
  const server = await createProviderServer(answer, certificate);
  const issuer = `${certificate ? "https" : "http"}://localhost:${server.port}`;
  const identityProvider = createIdentityProvider(issuer);
  const sentence = await identityProvider.discover().then(
    () => "discovered",
    (error: Error) => error.message,
  );
  await identityProvider.close();
  await server.close();
  return { sentence, paths: server.seen.map(({ url }) => url) };
}

const REFUSED: [string, RequestListener][] = [
  ["fails", (_, response) => response.writeHead(500).end()],
  ["breaks off", (_, response) => void response.writeHead(200).write("{", () => response.destroy())],
  ["is no JSON", (_, response) => response.end("<html>")],
  ["says nothing of use", (_, response) => response.end("null")],
  ["is larger than any description", (_, response) => response.end(" ".repeat(2_000_000))],
  ["leads elsewhere", (_, response) => response.writeHead(302, { location: "/elsewhere" }).end()],
];

describe("an identity provider's description", () => {
  it.each(REFUSED)("is requested once, and rejected if it %s", async (_, answer) => {
    const { sentence, paths } = await discover(answer);
    expect(sentence).toContain("check FEED_SIGN_IN_ISSUER");
    expect(paths).toEqual(["/.well-known/openid-configuration"]);
  });

  it("is not requested from a server with an untrusted certificate", async () => {
    const certificate = await readTestCertificate();
    const { sentence, paths } = await discover((_, response) => response.end("{}"), certificate);
    expect(sentence).toContain("is not trusted here");
    expect(paths).toEqual([]);
  });
});
