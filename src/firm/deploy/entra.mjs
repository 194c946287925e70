/**
 * Registers the application in Microsoft Entra ID by which people sign in, with the Azure CLI (az), after `az login` as an
 * administrator of applications who may grant consent:
 *
 *   node entra.mjs https://feed.example.com roles.json sign-in.txt
 *
 * The client secret goes into the last file, which must be empty or absent, and is printed nowhere.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, fchmodSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const GRAPH = "https://graph.microsoft.com/v1.0";
/** A new object is not known to all of Entra's servers at once. */
const [TRIES, WAIT_MS] = [10, 3000];

/** Runs az in a folder, and gives what it prints, as JSON. Windows' shell would split a word with a blank. */
function az(words, cwd) {
  const isWindows = process.platform === "win32";
  const ran = spawnSync(isWindows ? "az.cmd" : "az", [...words, "--output", "json"], {
    cwd,
    encoding: "utf8",
    shell: isWindows,
  });
  if (ran.error) throw new Error(`The Azure CLI (az) does not run here: ${ran.error.code}.`);
  if (ran.status !== 0) throw new Error(ran.stderr.trim());
  if (ran.stdout.trim() === "") return undefined;
  try {
    return JSON.parse(ran.stdout);
  } catch {
    throw new Error("What the Azure CLI printed is no JSON."); // the parser's own message would quote it
  }
}

/** Sends a body by a file, since shells read quotation marks differently. */
async function send(method, path, body, triesLeft = TRIES) {
  const folder = mkdtempSync(join(tmpdir(), "feed-entra-"));
  try {
    writeFileSync(join(folder, "body.json"), JSON.stringify(body));
    const words = ["--headers", "Content-Type=application/json", "--body", "@body.json"];
    return az(["rest", "--method", method, "--url", `${GRAPH}${path}`, ...words], folder);
  } catch (error) {
    if (triesLeft <= 1 || !/Request_ResourceNotFound|NoBackingApplicationObject/.test(error.message)) throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  return send(method, path, body, triesLeft - 1);
}

const toCallback = (origin) => `${origin}/sign-in/callback`;

/** Describes the application: addresses, the scope of its tokens, and a role for each in the roles file. */
function describe(origin, roles, scopeId) {
  const texts = {
    adminConsentDisplayName: "Read by FEED for Excel",
    adminConsentDescription: "Read by FEED for Excel",
  };
  const scope = { id: scopeId, value: "feed.read", type: "User", isEnabled: true, ...texts };
  return {
    displayName: "FEED for Excel",
    signInAudience: "AzureADMyOrg",
    web: { redirectUris: [toCallback(origin)] },
    spa: { redirectUris: [`brk-multihub://${new URL(origin).host}`, `${origin}/taskpane.html`] },
    api: { requestedAccessTokenVersion: 2, oauth2PermissionScopes: [scope] },
    appRoles: roles.map((value) => {
      const names = { value, displayName: value, description: `${value}, as in FEED's roles file` };
      return { id: randomUUID(), allowedMemberTypes: ["User"], isEnabled: true, ...names };
    }),
  };
}

/** Makes of a registered application what people can sign in by. @returns the client secret with its end */
async function complete({ id, appId }, scopeId) {
  const access = [{ resourceAppId: appId, resourceAccess: [{ id: scopeId, type: "Scope" }] }];
  const own = { identifierUris: [`api://${appId}`], requiredResourceAccess: access };
  await send("PATCH", `/applications/${id}`, own);
  const principal = await send("POST", "/servicePrincipals", { appId, appRoleAssignmentRequired: true });
  const grant = { clientId: principal.id, consentType: "AllPrincipals", resourceId: principal.id, scope: "feed.read" };
  await send("POST", "/oauth2PermissionGrants", grant);
  return send("POST", `/applications/${id}/addPassword`, { passwordCredential: { displayName: "FEED for Excel" } });
}

/** A second application would have nobody's roles. Its name may have been changed behind the first word. */
function refuseSecond(origin) {
  const named = az(["ad", "app", "list", "--display-name", "FEED"]);
  const before = named.find(({ web }) => web.redirectUris.includes(toCallback(origin)));
  if (before === undefined) return;
  throw new Error(
    `"${before.displayName}" (${before.appId}) is registered for ${origin} already, and nothing was changed. Make a new client secret in the Entra admin center > App registrations > ${before.displayName} > Certificates & secrets.`,
  );
}

async function register(origin = "", rolesFile = "", secretFile = "") {
  if (!secretFile || !URL.canParse(origin) || new URL(origin).origin !== origin || !origin.startsWith("https:"))
    throw new Error("Run: node entra.mjs https://feed.example.com roles.json sign-in.txt");
  const roles = Object.keys(JSON.parse(readFileSync(rolesFile, "utf8")));
  const { tenantId } = az(["account", "show"]);
  const secret = openSync(secretFile, "a", 0o600);
  if (fstatSync(secret).size > 0) throw new Error(`${secretFile} holds a secret already: move it away.`);
  fchmodSync(secret, 0o600);
  refuseSecond(origin);
  const scopeId = randomUUID();
  const application = await send("POST", "/applications", describe(origin, roles, scopeId));
  const { secretText, endDateTime } = await complete(application, scopeId).catch((error) => {
    throw new Error(
      `${error.message}\nThe application is not whole. Remove it: az ad app delete --id ${application.appId}`,
    );
  });
  writeFileSync(secret, secretText);
  closeSync(secret);
  process.stdout.write(`"FEED_SIGN_IN_ISSUER": "https://login.microsoftonline.com/${tenantId}/v2.0",
"FEED_SIGN_IN_CLIENT_ID": "${application.appId}",

These lines replace those of the settings file. The client secret is in ${secretFile}, and ends on ${endDateTime.slice(0, 10)}.
Now assign people or groups to the roles: Entra admin center > Enterprise applications > FEED for Excel > Users and groups.
`);
}

register(...process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
