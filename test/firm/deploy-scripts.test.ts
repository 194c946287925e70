import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { describeOnLinux, describeOnPosix } from "../support/posix";
import ENTRA from "./entra-answers.json";

const DEPLOY = join(__dirname, "../../src/firm/deploy");
const ORIGIN = "https://feed.example.com";
const SECRET = ENTRA.answers["POST /applications/03ef14b0-ca33-4840-8f4f-d6e91916010e/addPassword"].secretText;
const APP = ENTRA.answers["POST /applications"].appId;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-scripts-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "a person's tmp"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (name: string) => readFileSync(join(folder, name), "utf8");
const write = (name: string, text: string, mode = 0o600) => writeFileSync(join(folder, name), text, { mode });

/** Runs a script beside stand-ins of other programs, and gives its exit code and all that it prints. */
function run(program: string, words: string[], environment: NodeJS.ProcessEnv = {}) {
  const path = `${join(folder, "bin")}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, TMPDIR: join(folder, "a person's tmp"), ...environment };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: "utf8", env });
  return { status, printed: stdout + stderr };
}

describeOnPosix("the script that registers the application in Entra", () => {
  /** An Azure CLI that notes what it is asked, and answers as recorded. */
  function standIn(answers: Record<string, unknown>, failOnce: string[] = []): void {
    const script = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
const after = (name) => words[words.indexOf(name) + 1];
const key = words[0] === "rest"
  ? after("--method") + " " + after("--url").replace("https://graph.microsoft.com/v1.0", "")
  : words.slice(0, 2).join(" ");
const body = words[0] === "rest" ? JSON.parse(readFileSync(after("--body").slice(1), "utf8")) : undefined;
appendFileSync(${JSON.stringify(join(folder, "asked"))}, JSON.stringify({ key, body, words }) + "\\n");
const answers = ${JSON.stringify(answers)};
const mark = ${JSON.stringify(join(folder, "failed"))};
if (${JSON.stringify(failOnce)}.includes(key) && !existsSync(mark)) {
  writeFileSync(mark, "");
  process.stderr.write(${JSON.stringify(`ERROR: ${ENTRA.notYetKnown}\n`)});
  process.exitCode = 1;
} else if (!(key in answers)) {
  process.stderr.write("ERROR: Forbidden({})\\n");
  process.exitCode = 1;
} else if (answers[key] !== null) process.stdout.write(typeof answers[key] === "string" ? answers[key] : JSON.stringify(answers[key]));
`;
    write("bin/az", script, 0o755);
  }

  /** Its waits end at once. */
  const register = (words = [ORIGIN, "roles.json", "sign-in.txt"]) => {
    write("quick.cjs", "const own = setTimeout; globalThis.setTimeout = (act) => own(act, 0);");
    return run(process.execPath, [join(DEPLOY, "entra.mjs"), ...words], {
      NODE_OPTIONS: `--require=${join(folder, "quick.cjs")}`,
    });
  };
  const listAsked = (): { key: string; body: Record<string, unknown>; words: string[] }[] =>
    existsSync(join(folder, "asked"))
      ? read("asked")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];

  beforeEach(() => copyFileSync(join(DEPLOY, "roles.example.json"), join(folder, "roles.json")));

  it("asks for what the guide's steps say, in their order, and prints the settings", () => {
    standIn(ENTRA.answers);
    const { status, printed } = register();
    expect([status, printed.split("\n").slice(0, 2)]).toEqual([
      0,
      [
        `"FEED_SIGN_IN_ISSUER": "https://login.microsoftonline.com/${ENTRA.answers["account show"].tenantId}/v2.0",`,
        `"FEED_SIGN_IN_CLIENT_ID": "${APP}",`,
      ],
    ]);
    expect(printed).toContain("ends on 2021-09-09");
    const asked = listAsked();
    expect(asked.map(({ key }) => key)).toEqual(Object.keys(ENTRA.answers));
    const [, , created, changed, principal, granted] = asked.map(({ body }) => body);
    expect(created).toMatchObject({
      signInAudience: "AzureADMyOrg",
      web: { redirectUris: [`${ORIGIN}/sign-in/callback`] },
      spa: { redirectUris: ["brk-multihub://feed.example.com", `${ORIGIN}/taskpane.html`] },
      api: { requestedAccessTokenVersion: 2, oauth2PermissionScopes: [{ value: "feed.read", isEnabled: true }] },
      appRoles: ["Feed.Analyst", "Feed.Japan", "Feed.Rankings"].map((value) => ({
        ...{ value, allowedMemberTypes: ["User"], isEnabled: true },
      })),
    });
    const [{ id }] = (created!.api as { oauth2PermissionScopes: [{ id: string }] }).oauth2PermissionScopes;
    expect(changed).toEqual({
      identifierUris: [`api://${APP}`],
      requiredResourceAccess: [{ resourceAppId: APP, resourceAccess: [{ id, type: "Scope" }] }],
    });
    expect(principal).toEqual({ appId: APP, appRoleAssignmentRequired: true });
    const own = ENTRA.answers["POST /servicePrincipals"].id;
    expect(granted).toMatchObject({ clientId: own, resourceId: own, consentType: "AllPrincipals", scope: "feed.read" });
  });

  it("gives the Azure CLI no word that the shell of a system reads otherwise, such as a folder's name", () => {
    standIn(ENTRA.answers);
    register();
    for (const word of listAsked().flatMap(({ words }) => words)) expect(word).toMatch(/^[\w@.:/=-]+$/);
  });

  it.each([undefined, ""])("writes the client secret into a file of its owner alone, and nowhere else", (before) => {
    standIn(ENTRA.answers);
    if (before !== undefined) write("sign-in.txt", before, 0o644);
    const { printed } = register();
    expect([read("sign-in.txt"), statSync(join(folder, "sign-in.txt")).mode & 0o777]).toEqual([SECRET, 0o600]);
    expect(printed).not.toContain(SECRET.slice(0, 8));
    expect(readdirSync(join(folder, "a person's tmp"))).toEqual([]);
  });

  it("prints no part of it where the Azure CLI prints more than JSON", () => {
    const broken = Object.entries(ENTRA.answers).map(([key, answer]) => [
      key,
      key.endsWith("addPassword") ? `${SECRET} is your secret` : answer,
    ]);
    standIn(Object.fromEntries(broken));
    const { status, printed } = register();
    expect([status, printed]).toEqual([1, expect.stringContaining("is no JSON")]);
    expect(printed).not.toContain(SECRET.slice(0, 4));
  });

  it("asks again where a server of Entra does not know yet what was made", () => {
    standIn(ENTRA.answers, ["POST /servicePrincipals"]);
    expect(register().status).toBe(0);
    expect(listAsked().filter(({ key }) => key === "POST /servicePrincipals")).toHaveLength(2);
  });

  it("says how to remove an application that stays unfinished", () => {
    const { "POST /oauth2PermissionGrants": _, ...answers } = ENTRA.answers;
    standIn(answers);
    const { status, printed } = register();
    expect([status, printed]).toEqual([1, expect.stringContaining(`Remove it: az ad app delete --id ${APP}`)]);
    expect(read("sign-in.txt")).toBe("");
  });

  it("makes no second application for an address, whatever the file of the secret", () => {
    const before = {
      appId: APP,
      displayName: "FEED of Example",
      web: { redirectUris: [`${ORIGIN}/sign-in/callback`] },
    };
    standIn({ ...ENTRA.answers, "ad app": [...ENTRA.answers["ad app"], before] });
    const { status, printed } = register([ORIGIN, "roles.json", "other.txt"]);
    expect([status, printed]).toEqual([1, expect.stringContaining(`"FEED of Example" (${APP}) is registered for`)]);
    expect(listAsked().map(({ key }) => key)).toEqual(["account show", "ad app"]);
  });

  it("makes nothing where it has no place for the secret, no address, or no Azure CLI", () => {
    standIn(ENTRA.answers);
    for (const words of [[], ["feed.example.com", "roles.json", "a.txt"], [`${ORIGIN}/`, "roles.json", "a.txt"]])
      expect(register(words)).toMatchObject({ status: 1, printed: expect.stringMatching(/^Run: node entra\.mjs /) });
    write("sign-in.txt", "of before");
    expect(register().printed).toBe("sign-in.txt holds a secret already: move it away.\n");
    expect(listAsked().filter(({ key }) => key !== "account show")).toEqual([]);
    rmSync(join(folder, "bin/az"));
    expect(register().printed).toBe("The Azure CLI (az) does not run here: ENOENT.\n");
  });
});

/** The example of `docker buildx imagetools inspect` in Docker's documentation, with the digest of each tag. */
const toInspected = (digest: string) => `Name:      docker.io/library/alpine:latest
MediaType: application/vnd.docker.distribution.manifest.list.v2+json
Digest:    ${digest}

Manifests:
  Name:      docker.io/library/alpine:latest@sha256:e7d88de73db3d3fd9b2d63aa7f447a10fd0220b7cbf39803c803f2af9ba256b3
  MediaType: application/vnd.docker.distribution.manifest.v2+json
  Platform:  linux/amd64
`;
const DIGEST = "sha256:21a3deaa0d32a8057914f36584b5288d2e5ecc984380bc0118285c70fa8c9300";

describeOnLinux("the script that pins the images", () => {
  const pin = (inspected: string, status = 0) => {
    write(
      "bin/docker",
      `#!/bin/sh\necho "$*" >> ${folder}/asked\ncat <<'END'\n${inspected}\nEND\nexit ${status}\n`,
      0o755,
    );
    return run("sh", [join(folder, "digests.sh")]);
  };

  beforeEach(() => {
    for (const name of ["digests.sh", "Dockerfile", "compose.yaml"])
      copyFileSync(join(DEPLOY, name), join(folder, name));
    copyFileSync(join(DEPLOY, ".env.example"), join(folder, ".env"));
  });

  it("looks up the digest of each tag, prints it, and writes it into .env, now and when it is renewed", () => {
    for (const digest of [DIGEST, DIGEST.replace("21a3", "0000")]) {
      const { status, printed } = pin(toInspected(digest));
      expect(status).toBe(0);
      expect(printed.trim().split("\n")).toEqual([
        expect.stringMatching(`^node:[\\d.]+-slim@${digest}$`),
        expect.stringMatching(`^valkey/valkey:[\\d.]+-alpine@${digest}$`),
        expect.stringMatching(`^nginxinc/nginx-unprivileged:[\\d.]+-alpine@${digest}$`),
      ]);
      const lines = read(".env").split("\n");
      expect(lines.filter((line) => line.includes("_DIGEST="))).toEqual(
        ["NODE", "VALKEY", "NGINX"].map((name) => `${name}_DIGEST=${digest}`),
      );
      expect(lines).toContain(`ORIGIN=${ORIGIN}`);
    }
    expect(read("asked")).toMatch(/^buildx imagetools inspect node:/);
  });

  it.each([
    ["no such image", "", 1],
    ["an answer without a digest", "Digest:    sha256:latest", 0],
  ])("keeps what was there and fails: %s", (_what, inspected, status) => {
    pin(toInspected(DIGEST));
    const before = read(".env");
    const again = pin(inspected, status);
    expect([again.status, again.printed]).toEqual([1, expect.stringMatching(/^No digest was found for node:/)]);
    expect(read(".env")).toBe(before);
  });

  it("fails where the files name no image", () => {
    for (const name of ["Dockerfile", "compose.yaml"]) write(name, read(name).replaceAll("_DIGEST", "_PIN"));
    const { status, printed } = pin(toInspected(DIGEST));
    expect([status, printed]).toEqual([1, "Dockerfile and compose.yaml name no image with a digest of .env.\n"]);
  });
});
