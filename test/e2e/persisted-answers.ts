import type { Page } from "playwright-core";

declare global {
  interface Window {
    openAnswers(): Promise<IDBDatabase>;
  }
}

/** Runs in a page of the add-in's origin, and defines a function that opens the persisted answers. */
function defineOpening(): void {
  window.openAnswers = () =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open("feed-answers");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
}

/** Keys of the persisted answers; each begins with its owner. */
export async function listAnswers(page: Page): Promise<string[]> {
  await page.evaluate(defineOpening);
  return page.evaluate(async () => {
    const database = await window.openAnswers();
    const keysRequest = database.transaction("answers").objectStore("answers").getAllKeys();
    await new Promise((resolve) => {
      keysRequest.onsuccess = resolve;
    });
    database.close();
    return keysRequest.result as string[];
  });
}

/** Waits until an answer for each of some companies is persisted. */
export async function waitUntilPersisted(page: Page, companyIds: readonly string[]): Promise<void> {
  const arePersisted = (keys: string) => companyIds.every((id) => keys.includes(id));
  while (!arePersisted((await listAnswers(page)).join())) await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Makes the persisted answers of some companies older. */
export async function ageAnswers(page: Page, companyIds: readonly string[], byMs: number): Promise<void> {
  await page.evaluate(defineOpening);
  await page.evaluate(
    async ([ids, ageMs]) => {
      const database = await window.openAnswers();
      const transaction = database.transaction(["answers", "uses"], "readwrite");
      for (const store of ["answers", "uses"]) {
        transaction.objectStore(store).openCursor().onsuccess = ({ target }) => {
          const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
          if (cursor === null) return;
          const isOfThem = ids.some((id) => String(cursor.key).includes(id));
          if (isOfThem) cursor.update({ ...cursor.value, asOfMs: cursor.value.asOfMs - ageMs });
          cursor.continue();
        };
      }
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      database.close();
    },
    [companyIds, byMs] as const,
  );
}
