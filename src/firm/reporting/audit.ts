import { appendFile, closeSync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { PairingChange } from "../../companion/feature";
import { OPERATION_FAMILIES } from "../../contract/constants";
import type { ReadOutcome } from "./outcomes";

/** Lines that may wait for a slow disk; beyond that lines are lost rather than memory. */
const MOST_WAITING = 10_000;

/** By {@link openAudit}. */
export type Audit = ReturnType<typeof openAudit>;

/** The log for the audit log's own failures. */
export interface AuditLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Opens the audit log, one JSON object a line: no values, company, query or token.
 * @param path A file, appended to and created for its owner alone (mode 0600), or "-" for standard output.
 * @param log Gets a line when writing fails, and one when it works again: reads go on meanwhile.
 * @throws Error with a sentence when the file cannot be opened.
 */
export function openAudit(path: string, log: AuditLog, nowMs: () => number = Date.now) {
  const sink = path === "-" ? STANDARD_OUTPUT : openFile(path, log);
  const lines = createLines(sink, log, nowMs);
  const notify = (line: object, atMs = nowMs()) => lines.write({ at: new Date(atMs).toISOString(), ...line });
  return {
    /** Records one read; an unpaired caller's is not recorded. */
    notifyRead({ pairing, operation, requested: asked, known, status, refusal, traceId }: ReadOutcome): void {
      if (pairing === null) return;
      const family = OPERATION_FAMILIES[operation];
      notify({ event: "read", ...toWho(pairing), family, operation, asked, known, status, refusal, traceId });
    },
    /** Records a pairing that was made or ended. */
    notifyPairing: ({ event, pairing, atMs = nowMs() }: PairingChange) => notify({ event, ...toWho(pairing) }, atMs),
    /** Reopens the file, after somebody has moved the old one away. */
    reopen: sink.reopen,
    /** Closes it once all lines are written. */
    async close(): Promise<void> {
      await lines.end();
      sink.close();
    },
  };
}

function toWho({ id, person }: PairingChange["pairing"]): object {
  return { pairing: id, person: person?.id, name: person?.name };
}

interface Sink {
  append(text: string): Promise<void>;
  reopen(): void;
  close(): void;
}

const STANDARD_OUTPUT: Sink = {
  append: (text) => new Promise((resolve, reject) => process.stdout.write(text, (e) => (e ? reject(e) : resolve()))),
  reopen() {},
  close() {},
};

function openFile(path: string, log: AuditLog): Sink {
  const open = () => openSync(path, "a", 0o600);
  let file: number;
  try {
    file = open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`FEED_AUDIT_FILE: ${path} cannot be written (${code}). Give the companion's user the right to.`);
  }
  // A write under way finishes in its own file.
  let last: Promise<void> = Promise.resolve();
  return {
    append(text) {
      last = promisify(appendFile)(file, text);
      return last;
    },
    reopen() {
      try {
        const former = file;
        file = open();
        last.catch(() => {}).then(() => closeSync(former));
      } catch (error) {
        log.error({ err: error }, "The audit log cannot be opened anew, and goes on in the file that it was in.");
      }
    },
    close: () => closeSync(file),
  };
}

/** Writes lines in order, all waiting ones at once. */
function createLines(sink: Sink, log: AuditLog, nowMs: () => number) {
  let waiting: object[] = [];
  let lost = 0;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  const writeAll = async () => {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      // A full disk may have cut the last line: start a new one, and record the gap.
      const gap = lost === 0 ? "" : `\n${toLine({ at: new Date(nowMs()).toISOString(), event: "lost", lines: lost })}`;
      try {
        await sink.append(gap + lines.map(toLine).join(""));
        if (isFailing) log.warn({ lost }, "The audit log is written again, and lines are missing in it.");
        isFailing = false;
        lost = 0;
      } catch (error) {
        if (!isFailing) log.error({ err: error }, "The audit log cannot be written, and reads go on without it.");
        isFailing = true;
        lost += lines.length;
      }
    }
    writing = undefined;
  };
  return {
    write(line: object): void {
      if (waiting.length < MOST_WAITING) waiting.push(line);
      else lost += 1;
      writing ??= writeAll();
    },
    end: async () => writing,
  };
}

const toLine = (line: object): string => `${JSON.stringify(line)}\n`;
