import type { NameRow } from "../../src/feed/names/rows";

const LATIN = ["Sakura", "Aozora", "Minamo", "Kazemachi", "Hamasaki", "Orchid", "Raintree", "Lotus", "Harbour", "Nusa"];
const KANJI = [..."髙島浜﨑齋藤渡邉吉野田中山川松竹梅青空星見風待月影白銀雲森夏色稲穂雪代渚東西南北大小新古"];
const KANA = [..."アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"];
const WORDS = ["Foods", "Systems", "Logistics", "Trading", "Materials", "Design", "Energy", "Medical", "Works", "Farm"];
const FORMS = ["Co., Ltd.", "Inc.", "Corporation", "K.K."];

/** Companies with names, tickers and numbers as in a provider's two lists; repeatable by count. */
export function createSyntheticRows(count: number): NameRow[] {
  let state = 20_241_120;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(values: readonly T[]) => values[draw(values.length)] as T;
  const spell = (letters: readonly string[], length: number) => Array.from({ length }, () => pick(letters)).join("");
  return Array.from({ length: count }, (_, index): NameRow => {
    const native = spell(KANJI, 2 + draw(3)) + spell(KANA, draw(6));
    const latin = `${pick(LATIN)}${spell([..."aeiou"], 1)}${spell([..."knrst"], 1)} ${pick(WORDS)} ${draw(1000)}`;
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const formal = draw(3) === 0 ? `${native}株式会社` : `株式会社${native}`;
    const english = `${latin} ${pick(FORMS)}`;
    const number = String(1_000_000_000_000 + index * 7);
    const ticker = index % 10 === 0 ? String(1000 + index / 10) : "";
    return [id, formal, formal, formal, english, native, ticker, number, "JPN", "taxonomy, private"];
  });
}
