import type { Page } from "playwright-core";
import { until } from "../support/until";

/** Keys of the persisted answers; each begins with its owner. */
export const listAnswers = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opening = indexedDB.open("feed-answers");
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const keys = opening.result.transaction("answers").objectStore("answers").getAllKeys();
    await new Promise((resolve) => (keys.onsuccess = resolve));
    opening.result.close();
    return keys.result as string[];
  });

/** Waits until there is a persisted answer for each of some words, such as a company's id or an operation. */
export async function waitUntilPersisted(page: Page, words: readonly string[]): Promise<void> {
  const arePersisted = (keys: string) => words.every((word) => keys.includes(word));
  await until(async () => arePersisted((await listAnswers(page)).join()));
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
