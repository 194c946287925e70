import type { Page } from "playwright-core";
import { until } from "../support/until";

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
  await until(async () => arePersisted((await listAnswers(page)).join()));
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

/** Everything that a page stores beyond its life, by place. */
export const readStored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const wait = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const persisted: Record<string, string> = { cookies: document.cookie };
    for (const [key, text] of Object.entries(localStorage)) persisted[`local storage: ${key}`] = String(text);
    for (const [key, text] of Object.entries(sessionStorage)) persisted[`session storage: ${key}`] = String(text);
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await wait(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const all = [await wait(objects.getAllKeys()), await wait(objects.getAll())];
        persisted[`indexed database: ${name} ${store}`] = JSON.stringify(all);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys())
        persisted[`cache: ${name} ${url}`] = (await (await cache.match(url))?.text()) ?? "";
    }
    return persisted;
  });
