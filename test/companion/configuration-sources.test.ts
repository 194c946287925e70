import { describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { KINDS, SETTING_NAMES } from "../../src/companion/configuration/settings";
import { itOnPosix } from "../support/posix";
import { COMPLETE, createFiles, otherKey, PEM, readMistakes, toPem } from "./complete-settings";

const write = createFiles();
const writeJson = (name: string, settings: object, mode?: number) => write(name, JSON.stringify(settings), mode);

describe("settings from a file", () => {
  it("are read from the person's own file, which the pane may change", () => {
    const own = writeJson("own.json", { ...COMPLETE, PORT: "3001" });
    const { provider, port, given } = readConfiguration({}, { own });
    expect([provider?.client.clientId, port, [...given]]).toEqual(["client-1", 3001, []]);
  });

  it("are empty if the person's own file does not exist", () => {
    expect(readConfiguration({}, { own: "/absent/companion.json" })).toEqual(readConfiguration({}));
  });

  it("can be checked before they are written", () => {
    expect(readConfiguration({}, { own: COMPLETE }).provider?.baseUrl).toBe(COMPLETE.FEED_BASE_URL);
    expect(readMistakes({}, { own: { ...COMPLETE, FEED_KEY_ID: "", FEED_BASE_URL: "ftp://x" } })).toHaveLength(2);
  });

  it("are overridden by the environment, whose provider settings are then locked", () => {
    const own = { ...COMPLETE, FEED_BASE_URL: "https://other.example.com", PORT: "3001", LOG_LEVEL: "debug" };
    const environment = { FEED_BASE_URL: "https://feed.example.com", PORT: "3002", LOG_LEVEL: "" };
    const { provider, port, logLevel, given } = readConfiguration(environment, { own });
    expect([provider?.baseUrl, port, logLevel]).toEqual(["https://feed.example.com", 3002, "debug"]);
    expect([...given]).toEqual(["FEED_BASE_URL"]);
  });

  it("never replace a provider setting that the environment empties", () => {
    expect(readMistakes({ FEED_CLIENT_ID: "" }, { own: COMPLETE })).toEqual([
      expect.stringMatching(/^FEED_CLIENT_ID is missing/),
    ]);
  });

  it("give no key, key id or previous key beside a key of the environment", () => {
    const path = write("former.pem", PEM);
    const { FEED_PRIVATE_KEY, ...rest } = COMPLETE;
    const own = {
      ...rest,
      FEED_PRIVATE_KEY_FILE: path,
      FEED_PREVIOUS_KEY_ID: "kid-0",
      FEED_PREVIOUS_PRIVATE_KEY_FILE: write("one-before.pem", toPem(otherKey)),
    };
    expect(readConfiguration({}, { own }).provider?.client.signers).toHaveLength(2);
    expect(readMistakes({ FEED_PRIVATE_KEY }, { own })).toEqual([expect.stringMatching(/^FEED_KEY_ID is missing/)]);
    const { provider, given } = readConfiguration({ FEED_PRIVATE_KEY: toPem(otherKey), FEED_KEY_ID: "kid-2" }, { own });
    expect(provider?.client.signers.map(({ keyId }) => keyId)).toEqual(["kid-2"]);
    expect([...given].sort()).toEqual([...KINDS[0]!].sort());
  });

  it("of an administrator are locked as a whole, and the person's own file is not read", () => {
    const administrators = writeJson("administrators.json", COMPLETE);
    const own = writeJson("ignored.json", { FEED_MODE: "relay", PORT: "nine" });
    const { mode, given } = readConfiguration({}, { administrators, own });
    expect(mode).toBe("sign");
    expect([...given]).toEqual(SETTING_NAMES.filter((name) => name.startsWith("FEED_")));
  });

  it("of an administrator are overridden by the environment", () => {
    const administrators = writeJson("below.json", COMPLETE);
    expect(readConfiguration({ FEED_CLIENT_ID: "client-2" }, { administrators }).provider?.client.clientId).toBe(
      "client-2",
    );
  });

  it("count in any letter case as on Windows, and so never leave sample data", () => {
    const environment = Object.entries(COMPLETE).map(([name, text]) => [name.toLowerCase(), text]);
    expect(readConfiguration(Object.fromEntries(environment)).provider?.client.clientId).toBe("client-1");
    expect(readMistakes({}, { own: writeJson("small.json", { feed_mode: "sign" }) }).length).toBeGreaterThan(3);
  });

  it("stop the sample data as the environment does, even if unknown or empty", () => {
    expect(readMistakes({}, { own: { FEED_MODE: "" } }).length).toBeGreaterThan(3);
    expect(readMistakes({}, { own: { FEED_MODUS: "sign" } }).length).toBeGreaterThan(3);
  });
});

describe("the mistakes of a file", () => {
  it("are all listed once, with those of the environment", () => {
    const own = writeJson("mistakes.json", {
      ...COMPLETE,
      HOSTS: "localhost",
      LOG_LEVEL: 3,
      FEED_MODE: null,
      FEED_KEY_ID: "",
    });
    expect(readMistakes({ PORT: "nine" }, { own })).toEqual([
      expect.stringMatching(/^HOSTS \(in .*mistakes\.json\) is not a setting\. Did you mean HOST\?$/),
      expect.stringMatching(/^LOG_LEVEL \(in .*\) must be a text/),
      expect.stringMatching(/^FEED_MODE \(in .*\) must be a text/),
      expect.stringMatching(/^PORT/),
      expect.stringMatching(/^FEED_KEY_ID is missing/),
    ]);
  });

  it.each(["", "{", "[]", "null", '"text"', '{"FEED_PRIVATE_KEY": "canary'])(
    "include %j, which is not quoted",
    (text) => {
      const mistakes = readMistakes({}, { own: write("broken.json", text) });
      expect(mistakes).toEqual([
        expect.stringMatching(/^The settings file .*broken\.json is no JSON object of names and texts/),
      ]);
      expect(mistakes[0]).not.toContain("canary");
    },
  );

  it("do not include a UTF-8 byte order mark", () => {
    const own = write("marked.json", `\uFEFF${JSON.stringify({ PORT: "3001" })}`);
    expect(readConfiguration({}, { own }).port).toBe(3001);
  });

  it("include a missing administrator's file, beside other certain mistakes", () => {
    expect(readMistakes({ FEED_CLIENT: "" }, { administrators: "/absent/settings.json" })).toEqual([
      expect.stringMatching(/^FEED_CLIENT is not a setting/),
      "The settings file /absent/settings.json cannot be read (ENOENT).",
    ]);
  });

  itOnPosix.each([0o620, 0o602, 0o666])("include a mode of %i, by which others may write it", (mode) => {
    const path = writeJson(`mode-${mode}.json`, { PORT: "3001" }, mode);
    expect(readMistakes({}, { own: path })).toEqual([expect.stringContaining(`chmod go-w ${path}`)]);
  });

  itOnPosix.each(["FEED_PRIVATE_KEY", "FEED_PRIVATE_KEY_PASSPHRASE"])(
    "include %s in a file that others may read",
    (name) => {
      const path = writeJson(`${name}.json`, { ...COMPLETE, FEED_PRIVATE_KEY_FILE: "", [name]: PEM }, 0o644);
      expect(readMistakes({}, { own: path })).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
    },
  );

  it("do not include others' read access to a file without secrets", () => {
    expect(readMistakes({}, { own: writeJson("open.json", { PORT: "3001" }, 0o644) })).toEqual([]);
  });
});
