import { networkInterfaces } from "node:os";
import { describe, it } from "@jest/globals";

const isPosix = process.platform !== "win32";

/** Facts that Windows does not have: signals, the modes and owners of files, `/bin/sh` and named pipes. */
export const itOnPosix = isPosix ? it : it.skip;
export const describeOnPosix = isPosix ? describe : describe.skip;

/** Facts of Linux alone: `/proc`, util-linux's tools, and all of 127.0.0.0/8 as this machine's addresses. */
export const itOnLinux = process.platform === "linux" ? it : it.skip;
export const describeOnLinux = process.platform === "linux" ? describe : describe.skip;

/** Facts of a machine that has the address ::1; containers often have none. */
const hasIpv6 = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === "::1"));
export const itOnIpv6 = hasIpv6 ? it : it.skip;
