import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renewCertificate } from "../../../src/companion/certificate";
import type { Surroundings } from "../../../src/companion/commands/surroundings";
import { findPort } from "../../support/free-port.mjs";
import type { TestMachine } from "./machine";

const YEAR_MS = 366 * 24 * 3600 * 1000;
const POLICIES = "HKEY_CURRENT_USER\\Software\\Policies\\Microsoft\\Office\\16.0\\WEF\\TrustedCatalogs";
const DEVELOPER = "HKEY_CURRENT_USER\\Software\\Microsoft\\Office\\16.0\\WEF\\Developer";
const NPM = "npm run companion --";

/** A sound computer, and what a fault may need. */
interface Place {
  machine: TestMachine;
  environment: NodeJS.ProcessEnv;
  /** An empty folder. */
  spare: string;
  /** The port of a program that is not the companion. */
  strangersPort: number;
  /** The port of a provider that gives a token, and refuses all data. */
  refusingPort: number;
  onListen: NonNullable<Surroundings["onListen"]>;
}

/** A fault of a computer, with what doctor says to it. */
interface Fault {
  /** Default "win32". */
  platform?: "win32" | "darwin";
  /** Brings the fault about; gives what differs in the surroundings. */
  inject: (place: Place) => Promise<Partial<Surroundings>> | Partial<Surroundings>;
  check: string;
  cure: string | RegExp;
}

/** By what is wrong. */
export const FAULTS: Record<string, Fault> = {
  "Node is too old": {
    inject: () => ({ nodeVersion: "20.18.3" }),
    check: "Node",
    cure: "Node 20.18.3 is too old. Install Node 20.19 or newer, from https://nodejs.org.",
  },
  "a setting is missing": {
    inject: ({ environment: { FEED_CLIENT_ID: _, ...environment } }) => ({ environment }),
    check: "settings",
    cure: /^FEED_CLIENT_ID is missing/,
  },
  "others may read the key": {
    inject({ environment: { FEED_PRIVATE_KEY_FILE: path = "" } }) {
      chmodSync(path, 0o644);
      return {};
    },
    check: "settings",
    cure: /^FEED_PRIVATE_KEY_FILE: Others on this machine may read the key file\. Run: chmod 600 /,
  },
  "the person's folder cannot be written": {
    inject({ spare }) {
      const file = join(spare, "file");
      writeFileSync(file, "");
      return { folder: join(file, "feed-for-excel") };
    },
    check: "storage",
    cure: /[\\/]file cannot be written\. Give your user the right to write there\.$/,
  },
  "the pairings are damaged": {
    inject({ spare }) {
      const folder = mkdtempSync(join(spare, "damaged-"));
      writeFileSync(join(folder, "pairings.json"), "{", { mode: 0o600 });
      return { folder };
    },
    check: "storage",
    cure: /pairings\.json does not hold what this program wrote\. Mend it, or delete it and set up again\.$/,
  },
  "nothing runs": {
    inject: async ({ environment }) => ({ environment: { ...environment, PORT: String(await findPort()) } }),
    check: "companion",
    cure: /^Nothing runs at port \d+\. Start the companion: npm start -- --https$/,
  },
  "another program has the port": {
    inject: ({ environment, strangersPort }) => ({ environment: { ...environment, PORT: String(strangersPort) } }),
    check: "companion",
    cure: /^Port \d+ is taken by another program\. Stop that, or choose another port, such as: \$env:PORT=\d+; npm start$/,
  },
  "the companion runs without https": {
    async inject({ machine, environment, onListen }) {
      const plain = { ...environment, PORT: String(await findPort()) };
      await machine.run(["start"], { environment: plain, onListen });
      return { environment: plain };
    },
    check: "companion",
    cure: "The companion runs without https, which Excel needs. Stop it, and run: npm start -- --https",
  },
  "the companion has a former certificate": {
    async inject({ spare }) {
      const certificateFolder = mkdtempSync(join(spare, "renewed-"));
      await renewCertificate(certificateFolder);
      return { certificateFolder };
    },
    check: "companion",
    cure: "The companion that runs has another certificate than the present one. Stop it, and start it again.",
  },
  "there is no certificate": {
    inject: ({ spare }) => ({ certificateFolder: join(spare, "nowhere") }),
    check: "certificate",
    cure: `There is no certificate for https, which Excel needs. Run: ${NPM} install`,
  },
  "the certificate has ended": {
    inject: () => ({ nowMs: () => Date.now() + YEAR_MS }),
    check: "certificate",
    cure: /^The certificate of https ended on \d{4}-\d\d-\d\d\. Run: npm run companion -- certs --renew, then: .* install$/,
  },
  "Windows does not trust it": {
    inject({ machine }) {
      machine.changeState({ roots: [] });
      return {};
    },
    check: "trust",
    cure: `Windows does not trust the certificate. Run: ${NPM} install`,
  },
  "macOS does not trust it": {
    platform: "darwin",
    inject({ machine }) {
      machine.changeState({ roots: [] });
      return {};
    },
    check: "trust",
    cure: `macOS does not trust the certificate. Run: ${NPM} install`,
  },
  "Excel does not know the add-in": {
    inject({ machine }) {
      machine.changeState({ registry: { ...machine.readState().registry, [DEVELOPER]: {} } });
      return {};
    },
    check: "manifest",
    cure: /^Excel does not know the add-in at port \d+\. Run: npm run companion -- install$/,
  },
  "the manifest is gone": {
    inject({ machine }) {
      rmSync(join(machine.folder, "manifest.xml"));
      return {};
    },
    check: "manifest",
    cure: /^Excel looks for the add-in in .*manifest\.xml, which is missing\. Run: npm run companion -- install$/,
  },
  "a policy on Windows blocks web add-ins": {
    inject({ machine }) {
      const policy = { [POLICIES]: { disableallcatalogs: "dword:00000001" } };
      machine.changeState({ registry: { ...machine.readState().registry, ...policy } });
      return {};
    },
    check: "policy",
    cure: /^A policy blocks web add-ins in Office \(DisableAllCatalogs\)\. Ask your administrator to allow it/,
  },
  "a policy on Windows blocks the registry's tools": {
    inject({ machine }) {
      machine.changeState({ registryToolsForbidden: true });
      return {};
    },
    check: "policy",
    cure: /^A policy keeps you from the registry's tools \(DisableRegistryTools\).* Ask your administrator/,
  },
  "a policy on a Mac blocks web add-ins": {
    platform: "darwin",
    inject({ machine }) {
      machine.changeState({ preferences: { "com.microsoft.office OfficeWebAddinDisableAllCatalogs": "1" } });
      return {};
    },
    check: "policy",
    cure: /^A policy blocks web add-ins in Office \(OfficeWebAddinDisableAllCatalogs\)\. Ask your administrator/,
  },
  "the start at log-on is gone": {
    inject({ machine }) {
      machine.changeState({ tasks: {} });
      return {};
    },
    check: "log-on",
    cure: /^The companion no longer starts at log-on: .* is gone or switched off\. Run: npm run companion -- service on$/,
  },
  "the clock is wrong": {
    inject: () => ({ nowMs: () => Date.now() - 600_000 }),
    check: "clock",
    cure: /^This computer's clock is 10 min behind the provider's\. Set it by network time/,
  },
  "the provider cannot be reached": {
    inject: async ({ environment }) => ({
      environment: { ...environment, FEED_BASE_URL: `http://127.0.0.1:${await findPort()}` },
    }),
    check: "provider",
    cure: /could not be reached \(ECONNREFUSED\)\. Check FEED_BASE_URL, the network, and what filters it/,
  },
  "the provider does not know the client": {
    inject: ({ environment }) => ({ environment: { ...environment, FEED_CLIENT_ID: "nobody" } }),
    check: "provider",
    cure: /^Key "test-key": the provider refused .*Check FEED_CLIENT_ID and FEED_KEY_ID, and that the provider has the public key/,
  },
  "the client may read nothing": {
    inject: ({ environment, refusingPort }) => ({
      environment: { ...environment, FEED_BASE_URL: `http://127.0.0.1:${refusingPort}` },
    }),
    check: "data rights",
    cure: /^The client may read nothing: .* Ask the provider for the scopes of your contract\.$/,
  },
};
