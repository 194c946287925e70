import type { FastifyInstance } from "fastify";
import { ConfigurationError } from "../companion/configuration/reading";
import type { ConfiguredFeature, Feature, Mounted, MountedOn } from "../companion/feature";
import type { Stores } from "../companion/stores";
import { checkFirm } from "./check";
import { type Firm, type FirmPages, readFirm, readStore, readStoreKey } from "./configuration";
import { followSettings } from "./followed-settings";
import { createFirmReads } from "./reads";
import { addReporting } from "./reporting";
import { FIRM_SETTINGS } from "./settings";
import { createSigningIn } from "./sign-in";
import { addSignIn, addSignInPage } from "./sign-in/routes";
import type { FirmStores } from "./stores";
import { createMemoryStores } from "./stores/memory";

/** What only a firm needs of the companion. */
export const firm: Feature = {
  settings: FIRM_SETTINGS,
  configure: (reading) => configureFirm(readFirm(reading)),
  async openStores(settings, { log, nowMs }) {
    const mistakes: string[] = [];
    const url = readStore({ settings, mistakes });
    if (mistakes.length > 0) throw new ConfigurationError(mistakes);
    if (url === undefined) return undefined;
    // Loaded on demand: most companions have no server.
    const { createRedisStores } = await import("./stores/redis");
    // Commands that end pairings need no key; a start without it has been refused before.
    return createRedisStores(url, { log, nowMs, pairingKey: readStoreKey({ settings, mistakes: [] }) });
  },
};

/** The firm's part of a companion, with its settings. */
export interface ConfiguredFirm extends ConfiguredFeature {
  firm: Firm;
  take(changed: ConfiguredFirm): void;
}

export function configureFirm(firm: Firm): ConfiguredFirm {
  let { roles } = firm;
  const { signIn, proxies, audit } = firm;
  return {
    firm,
    hasSignIn: signIn !== undefined,
    servers: signIn === undefined ? [] : [signIn.issuer],
    proxies,
    ownsOutput: audit === "-",
    take(changed) {
      roles = changed.firm.roles;
    },
    check: (network) => checkFirm(firm, network),
    mount: (app, parts) => mount(app, parts, firm, () => roles),
  };
}

async function mount(app: FastifyInstance, parts: MountedOn, firm: Firm, roles: () => Firm["roles"]): Promise<Mounted> {
  const { address, network, followed, webFolder } = parts;
  const stores = toFirmStores(parts.stores);
  const { notifyPause, tracer } = await addReporting(app, { ...parts, firm, stores });
  if (followed !== undefined) followSettings(app, followed, parts.hasTerminal);
  const signingIn = firm.signIn && createSigningIn(firm.signIn, stores, Date.now, network, roles);
  if (signingIn !== undefined) {
    app.addHook("onClose", signingIn.close);
    app.register(addSignInPage, { prefix: "/sign-in", address, signingIn, stores });
    if (webFolder !== undefined) {
      const options = { ...parts, webFolder, stores, signIn: signingIn.agents };
      // Loaded on demand: most companions have no agents.
      app.register(async (scope) => (await import("../mcp/http")).addAgents(scope, options));
    }
  }
  return {
    createReads: (reads) => createFirmReads({ ...reads, firm, roles, stores, tracer, notifyPause }),
    signIn: signingIn && { take: signingIn.take, addRoutes: (scope) => addSignIn(scope, signingIn, address) },
    addPages: (scope) => addFirmPages(scope, firm.pages),
  };
}

/** Gives the stores that were opened on a server; of any others, those in memory. */
const toFirmStores = (stores: Stores): FirmStores =>
  "answers" in stores ? (stores as FirmStores) : { ...createMemoryStores(stores.pairings), ...stores };

/** Leads from the add-in's own pages about privacy, support and terms, in both languages, to the firm's. */
function addFirmPages(scope: FastifyInstance, pages: FirmPages): void {
  for (const [name, address] of Object.entries(pages)) {
    if (address === undefined) continue;
    for (const folder of ["/reference", "/reference/ja"]) {
      scope.get(`${folder}/${name}.html`, async (_request, reply) => reply.redirect(address));
    }
  }
}
