import { existsSync } from "node:fs";
import { ensureCertificate, readCertificate, toCertificatePaths } from "./certificate";
import { installTrust, isTrusted, removeTrust, toFingerprint } from "./certificate-trust";
import { createLogOnStarter } from "./installation/log-on";
import {
  type Change,
  type ChangeRecord,
  hasText,
  type LogOnChange,
  openRecord,
  restoreFile,
  type Schedule,
  type ScheduleChange,
  toFileChange,
  writeFile,
} from "./installation/record";
import { registerManifest } from "./installation/registration";
import { restoreValue } from "./installation/registry";
import { type Machine, requireTool, runTool, toSystemName, untilFails } from "./machine";
import { START_FOR_EXCEL } from "./program";

/** What this program changes on a person's computer, and can take back. */
export interface Installation {
  /** Creates the certificate of https://localhost where there is none. @returns whether it did */
  ensureCertificate(nowMs: number): Promise<boolean>;
  /** Has the system trust the certificate; the person may have to agree. */
  trust(): Promise<void>;
  /** Has Excel know the manifest; on Linux the file is only written. */
  register(manifest: string): Promise<void>;
  /** Has the system start the companion at log-on, and starts it now. */
  startAtLogOn(): Promise<void>;
  /** Takes that back. @returns whether there was anything */
  endAtLogOn(): Promise<boolean>;
  /** Whether it starts at log-on by what was done here. */
  hasLogOn(): Promise<boolean>;
  /** Has the system start what a feature schedules, in place of the subject's former schedule. */
  schedule(schedule: Schedule): Promise<void>;
  /** Ends the schedules of a subject. @returns whether there were any */
  endSchedule(subject: string): Promise<boolean>;
  listSchedules(): Promise<readonly ScheduleChange[]>;
  /** Takes every change back, the last first. @returns what was done, a line each */
  undo(): Promise<string[]>;
}

/**
 * Opens what was done on this computer. Each change is recorded before it is made, with what stood there before, so that
 * one that broke off is taken back too, and one that is made twice is recorded once.
 */
export function openInstallation(machine: Machine): Installation {
  const { certificateFolder, environment, platform } = machine;
  const record = openRecord(machine.folder);
  const find = async (kind: Change["kind"]) => (await record.list()).find((change) => change.kind === kind);
  const listSchedules = async () => (await record.list()).filter((change) => change.kind === "schedule");
  const takeBack = async (change: Change) => {
    await revert(change, machine);
    await record.remove(change);
  };
  return {
    async ensureCertificate(nowMs) {
      if (readCertificate(certificateFolder) === undefined) {
        for (const path of Object.values(toCertificatePaths(certificateFolder))) await record.add(toFileChange(path));
      }
      const isThere = existsSync(toCertificatePaths(certificateFolder).cert);
      await ensureCertificate(certificateFolder, nowMs);
      return !isThere;
    },
    async trust() {
      if (await isTrusted(certificateFolder, environment, platform)) return;
      const change: Change = { kind: "trust", fingerprint: toFingerprint(certificateFolder) };
      await record.add(change);
      try {
        await installTrust(certificateFolder, environment, platform);
      } catch (error) {
        await takeBack(change);
        throw error;
      }
    },
    register: (manifest) => registerManifest(manifest, machine, record, takeBack),
    startAtLogOn: () => startAtLogOn(machine, record, takeBack),
    async endAtLogOn() {
      const change = await find("log-on");
      if (change !== undefined) await takeBack(change);
      return change !== undefined;
    },
    hasLogOn: async () => (await find("log-on")) !== undefined,
    async schedule(schedule) {
      const former = (await listSchedules()).filter(({ subject }) => subject === schedule.subject);
      await startSchedule(schedule, machine, record, takeBack);
      for (const change of former) await takeBack(change);
    },
    async endSchedule(wanted) {
      const ended = (await listSchedules()).filter(({ subject }) => subject === wanted);
      for (const change of ended) await takeBack(change);
      return ended.length > 0;
    },
    listSchedules,
    async undo() {
      const lines: string[] = [];
      for (const change of [...(await record.list())].reverse()) {
        const line = describe(change, machine);
        await (isOfRecord(change) ? revert(change, machine) : takeBack(change));
        if (line !== undefined) lines.push(line);
      }
      return lines;
    },
  };
}

async function startAtLogOn(
  machine: Machine,
  record: ChangeRecord,
  takeBack: (change: Change) => Promise<void>,
): Promise<void> {
  const starter = createLogOnStarter(machine);
  const { file } = starter;
  const isEnabled = await starter.isEnabled();
  if (isEnabled && file !== undefined && hasText(file.path, file.text)) return;
  let change = (await record.list()).find(({ kind }) => kind === "log-on");
  if (change === undefined) {
    if (isEnabled && file === undefined) throw toForeign(starter.name);
    change = { kind: "log-on", file: file ? toFileChange(file.path, await record.list()) : null };
    await record.add(change);
  }
  try {
    if (file !== undefined) writeFile(file.path, file.text);
    await starter.enable();
  } catch (error) {
    await takeBack(change);
    throw new Error(`${(error as Error).message} Start it yourself: ${START_FOR_EXCEL}`);
  }
}

async function startSchedule(
  { files, enable, ...schedule }: Schedule,
  { environment }: Machine,
  record: ChangeRecord,
  takeBack: (change: Change) => Promise<void>,
): Promise<void> {
  const others = await record.list();
  const change: Change = { kind: "schedule", ...schedule, files: files.map(({ path }) => toFileChange(path, others)) };
  await record.add(change);
  try {
    for (const { path, content } of files) writeFile(path, content);
    for (const [tool, ...words] of enable) await requireTool("Nothing was scheduled", tool, words, { environment });
  } catch (error) {
    await takeBack(change);
    throw error;
  }
}

async function endSchedule(
  { query, disable, files, afterRemoval }: ScheduleChange,
  { environment }: Machine,
): Promise<void> {
  for (const [tool, ...words] of disable) await runTool(tool, words, { environment });
  const [tool, ...words] = query;
  await untilFails(tool, words, { environment });
  for (const file of files) restoreFile(file);
  for (const [tool, ...words] of afterRemoval) await runTool(tool, words, { environment });
}

/** The record's own file goes last, and with it what would be written about that. */
const isOfRecord = (change: Change): boolean => change.kind === "file" && change.path.endsWith("installed.json");

async function revert(change: Change, machine: Machine): Promise<void> {
  const { environment, platform } = machine;
  if (change.kind === "file") restoreFile(change);
  if (change.kind === "registry") await restoreValue(change, machine);
  if (change.kind === "trust") await removeTrust(change.fingerprint, environment, platform);
  if (change.kind === "log-on") await endLogOn(change, machine);
  if (change.kind === "schedule") await endSchedule(change, machine);
}

async function endLogOn({ file }: LogOnChange, machine: Machine): Promise<void> {
  const starter = createLogOnStarter(machine);
  await starter.disable();
  if (file !== null) restoreFile(file);
  await starter.afterRemoval();
}

function describe(change: Change, machine: Machine): string | undefined {
  if (change.kind === "trust") return `${toSystemName(machine.platform)} no longer trusts the certificate.`;
  if (change.kind === "registry") return "Excel no longer knows the add-in.";
  if (change.kind === "log-on")
    return `The companion no longer starts at log-on (${createLogOnStarter(machine).name}).`;
  if (change.kind === "schedule") return `Nothing more is scheduled for ${change.subject}.`;
  return isOfRecord(change) ? undefined : `${change.before === null ? "Removed" : "Restored"}: ${change.path}`;
}

const toForeign = (name: string): Error =>
  new Error(`There is ${name} already, which this program has not made. Delete or rename it, and try again.`);
