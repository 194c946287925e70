import { HOSTS } from "../../src/playground/hosts/profiles";

/** For `describe.each`: the name, then the profile. */
export const NAMED_HOSTS = HOSTS.map((host) => [host.name, host] as const);
