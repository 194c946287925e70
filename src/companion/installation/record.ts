import { existsSync } from "node:fs";
import { join } from "node:path";
import { createFileStore } from "../store";
import { type FileChange, toFileChange } from "./files";
import type { RegistryChange } from "./registry";

/** A change of this computer, with what is needed to take it back. */
export type Change = FileChange | RegistryChange | TrustChange | LogOnChange;

/** An authority that the system trusts since. */
interface TrustChange {
  kind: "trust";
  /** SHA-1, as the systems' tools write it. */
  fingerprint: string;
}

/** The companion's start at log-on. */
export interface LogOnChange {
  kind: "log-on";
  /** Null where the system keeps the definition itself. */
  file: FileChange | null;
}

/** All changes that were made and not taken back, in a file of the person's folder. */
export interface ChangeRecord {
  list(): Promise<readonly Change[]>;
  /** Records a change, which must come before the change itself: one that breaks off can be taken back too. */
  add(change: Change): Promise<void>;
  remove(change: Change): Promise<void>;
}

/** Opens the record of a person's folder. Its first entry is the file of the record itself. */
export function openRecord(folder: string): ChangeRecord {
  const path = join(folder, "installed.json");
  const store = createFileStore<{ changes: Change[] }>(path, { changes: [] });
  return {
    list: async () => (await store.read()).changes,
    async add(change) {
      const first = existsSync(path) ? [] : [toFileChange(path)];
      await store.change(({ changes }) => ({ value: { changes: [...changes, ...first, change] }, result: undefined }));
    },
    async remove(change) {
      const text = JSON.stringify(change);
      await store.change(({ changes }) => {
        const left = changes.filter((each) => JSON.stringify(each) !== text);
        return { value: { changes: left }, result: undefined };
      });
    },
  };
}
