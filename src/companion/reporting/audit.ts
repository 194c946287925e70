import { appendFile, closeSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { OPERATION_FAMILIES } from "../../contract/constants";
import type { PairingChange, ReadOutcome } from "../api/outcomes";

/** What may wait while a disk takes its time; beyond it lines are lost rather than memory. */
const MOST_WAITING = 10_000;

/** Who read what, one JSON object a line: no values, no company, no query, no token. */
export interface Audit {
  /** Tells of one read; of who is nobody's pairing there is nothing to tell. */
  notifyRead(outcome: ReadOutcome): void;
  /** Tells that a page was paired, or that its pairing was ended. */
  notifyPairing(change: PairingChange): void;
  /** Opens the file anew, as it is due once somebody has moved the old one away. */
  reopen(): void;
  /** Ends it, once all is written. */
  close(): Promise<void>;
}

/** Where failures are told of. */
export interface AuditLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Opens the audit log.
 * @param path A file, which is appended to and made for its owner alone (mode 0600), or "-" for standard output.
 * @param log Hears once that lines cannot be written, and once that they can be again: reads go on meanwhile.
 * @throws Error with a sentence when the file cannot be opened.
 */
export function openAudit(path: string, log: AuditLog, nowMs: () => number = Date.now): Audit {
  const sink = path === "-" ? STANDARD_OUTPUT : openFile(path, log);
  const lines = createLines(sink, log, nowMs);
  const notify = (line: object) => lines.write({ at: new Date(nowMs()).toISOString(), ...line });
  return {
    notifyRead({ pairing, operation, ...rest }) {
      if (pairing === null) return;
      const { requested, known, status, refusal, traceId } = rest;
      const family = OPERATION_FAMILIES[operation];
      notify({
        event: "read",
        ...toWho(pairing),
        family,
        operation,
        asked: requested,
        known,
        status,
        refusal,
        traceId,
      });
    },
    notifyPairing: ({ event, pairing }) => notify({ event, ...toWho(pairing) }),
    reopen: sink.reopen,
    async close() {
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
  // What is under way goes on in the file that it began in.
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

/** Writes lines in the order in which they came, all that wait in one go. */
function createLines(sink: Sink, log: AuditLog, nowMs: () => number) {
  let waiting: object[] = [];
  let lost = 0;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  const writeAll = async () => {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      // A full disk may have cut the last line: the next one begins by itself, and tells what is missing.
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
