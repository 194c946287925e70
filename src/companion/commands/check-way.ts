import { isLoopback } from "../address";
import { readKey, readTextValue } from "../installation/registry";
import { type Machine, toSystemName } from "../machine";
import type { Network } from "../network";
import { describeProxy, EXAMPLE } from "../network/proxy";
import { runTool } from "../system-tool";
import { type Finding, note, pass } from "./findings";

const INTERNET_SETTINGS = "HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings";

/** Tells by which way the provider is reached, or names a proxy of this system that no setting names. */
export async function checkWay(url: URL, network: Network, machine: Machine): Promise<Finding | undefined> {
  const proxy = network.pickProxy(url);
  if (proxy !== undefined) return pass(`The provider is reached by ${describeProxy(proxy)}.`);
  if (isLoopback(url.hostname)) return undefined;
  const { environment, platform } = machine;
  const system = toSystemName(platform);
  const { pac, place } = await findSystemProxy(machine);
  if (pac) {
    const what = `The proxy of ${system} comes from a PAC file (${pac.replace(/\/\/[^/]*@/, "//")}), which is not read here.`;
    return note(`${what} ${toCure(`the proxy that it names, such as ${EXAMPLE}`)}`);
  }
  if (place) return note(`The proxy of ${system} is not used by itself. ${toCure(`http://${place}`)}`);
  const isAll = Boolean(environment.ALL_PROXY || environment.all_proxy);
  return isAll ? note(`ALL_PROXY is not read. ${toCure(`a proxy such as ${EXAMPLE}`)}`) : undefined;
}

const toCure = (what: string): string => `If the provider is reached only by a proxy, set HTTPS_PROXY to ${what}.`;

/** Finds the PAC file or the proxy, a name and port, that Windows or macOS has for its own programs. */
async function findSystemProxy(machine: Machine): Promise<{ pac?: string | undefined; place?: string | undefined }> {
  if (machine.platform === "win32") {
    const values = (await readKey(INTERNET_SETTINGS, machine))?.values;
    const servers = values?.get("ProxyEnable") === "dword:00000001" ? readTextValue(values.get("ProxyServer")) : "";
    // One for all, or a list such as "http=one:80;https=other:80".
    const [, place] = /^(?:.*https=)?([^;=]+)(?:;.*)?$/.exec(servers ?? "") ?? [];
    return { pac: readTextValue(values?.get("AutoConfigURL")), place };
  }
  if (machine.platform !== "darwin") return {};
  const output = (await runTool("scutil", ["--proxy"], machine))?.output ?? "";
  const read = (name: string) => new RegExp(`\\b${name} : (\\S+)`).exec(output)?.[1];
  if (read("ProxyAutoConfigEnable") === "1") return { pac: read("ProxyAutoConfigURLString") };
  return read("HTTPSEnable") === "1" ? { place: `${read("HTTPSProxy")}:${read("HTTPSPort")}` } : {};
}
