import type { Chance } from "../../../support/chance";
import { CITIES, FIRST_WORDS, OTHER_FORMS, type Parts, SECOND_WORDS } from "./name-parts";

/** A company's name that is to be written. */
export interface Writing {
  parts: Parts;
  /** The name in the country's own script; null for a company that there is not. */
  own: string | null;
  isJapanese: boolean;
}

/** A way in which lists differ from registers. */
interface Dirt {
  kind: string;
  needs?: (writing: Writing) => boolean;
  spell: (writing: Writing, chance: Chance) => string;
  /** Whether it may come on top of another. */
  isLate?: boolean;
  change?: (name: string, chance: Chance) => string;
}

/** "Sakura Foods Osaka", without its legal form. */
const toName = ({ first, second, city, rest }: Parts, ...instead: Partial<Parts>[]): string => {
  const parts = Object.assign({ first, second, city, rest }, ...instead) as Parts;
  return [parts.first, parts.second, parts.city, parts.rest].filter((part) => part !== "").join(" ");
};

const withForm = (name: string, form: string): string => (form === "PT" ? `PT ${name}` : `${name} ${form}`);

const firstOf = (parts: Parts) => FIRST_WORDS.get(parts.first);
const secondOf = (parts: Parts) => SECOND_WORDS.get(parts.second);
const mayBeWritten = ({ parts, isJapanese }: Writing) => isJapanese && firstOf(parts) !== undefined;

const TO_KATAKANA = 0x60;
const toKatakana = (kana: string) =>
  kana.replace(/[ぁ-ゖ]/g, (each) => String.fromCharCode(each.charCodeAt(0) + TO_KATAKANA));

const HALF_WIDTH: Readonly<Record<string, string>> = Object.fromEntries(
  [..."ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ"].map((half) => [half.normalize("NFKC"), half]),
);
const toHalfWidth = (text: string) =>
  [...toKatakana(text)]
    .map((each) =>
      [...each.normalize("NFD")]
        .map((part) => HALF_WIDTH[part] ?? { "\u3099": "ﾞ", "\u309a": "ﾟ" }[part] ?? part)
        .join(""),
    )
    .join("");

const toFullWidth = (text: string) =>
  text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).replaceAll(" ", "　");

/** The name in Japanese, of the register where there is one; in parts that can be exchanged. */
function toNative(
  { parts, own }: Writing,
  chance: Chance,
  instead: { first?: string; second?: string; city?: string } = {},
): string {
  const known = own?.replace(/株式会社/, "");
  const second = secondOf(parts)?.native ?? "";
  const ownFirst = known?.includes(second) ? known.split(second)[0] : undefined;
  const first =
    ownFirst !== undefined && /[^ -~]/.test(ownFirst) ? ownFirst : chance.pick(firstOf(parts)?.native ?? [parts.first]);
  const city = instead.city ?? (parts.city === "" ? "" : ` ${parts.city}`);
  return `${instead.first ?? first}${instead.second ?? second}${city}${parts.rest === "" ? "" : ` ${parts.rest}`}`;
}

const cityInKanji = ({ city }: Parts) => CITIES.get(city) || city;

/** A slip of the finger in a word of five letters or more; never its first letter. */
function mistype(name: string, chance: Chance): string {
  const words = name.split(" ");
  const long = words.flatMap((word, at) => (/^[A-Za-z]{5,}$/.test(word) ? [at] : []));
  if (long.length === 0) return name;
  const at = chance.pick(long);
  const word = words[at] as string;
  const place = 1 + chance.below(word.length - 2);
  const [before, letter, behind] = [word.slice(0, place), word[place] as string, word.slice(place + 1)];
  words[at] = chance.pick([
    () => before + behind,
    () => before + letter + letter + behind,
    () => before + (behind[0] ?? "") + letter + behind.slice(1),
    () => before + (BESIDE[letter.toLowerCase()] ?? letter) + behind,
  ])();
  return words.join(" ");
}

const BESIDE: Readonly<Record<string, string>> = {
  a: "s", b: "n", c: "v", d: "f", e: "r", f: "g", g: "h", h: "j", i: "o", j: "k", k: "l", l: "k", m: "n",
  n: "m", o: "p", p: "o", q: "w", r: "t", s: "d", t: "y", u: "i", v: "b", w: "e", x: "c", y: "u", z: "x",
}; // biome-ignore format: a keyboard

const FRAMES_JAPANESE: readonly ((name: string) => string)[] = [
  (name) => `㈱${name}`,
  (name) => `${name}㈱`,
  (name) => `（株）${name}`,
  (name) => `${name}(株)`,
  (name) => `株式会社 ${name}`,
  (name) => name,
];

const REMARKS: readonly ((name: string) => string)[] = [
  (name) => `${name} (client)`,
  (name) => `${name} - accounts dept`,
  (name) => `Attn: ${name}`,
  (name) => `${name} [new]`,
  (name) => `${name}, Attn. Ms. Tanaka`,
  (name) => `12. ${name}`,
  (name) => `${name} / see Mori`,
  (name) => `${name} (head office)`,
  (name) => `${name} sales team`,
  (name) => `The ${name}`,
];
const REMARKS_JAPANESE: readonly ((name: string) => string)[] = [
  (name) => `${name} 御中`,
  (name) => `${name} 営業部`,
  (name) => `${name}（取引先）`,
  (name) => `${name}　担当：田中様`,
  (name) => `${name} 本社`,
  (name) => `${name} ※要確認`,
];

const hasLetters = ({ parts }: Writing) => parts.first !== "";

export const DIRT: readonly Dirt[] = [
  { kind: "clean", spell: ({ parts }) => withForm(toName(parts), parts.form) },
  {
    kind: "case",
    spell: ({ parts }, chance) => chance.pick([toName(parts).toUpperCase(), toName(parts).toLowerCase()]),
  },
  {
    kind: "legal form",
    spell: ({ parts }, chance) => {
      const form = chance.pick(OTHER_FORMS[parts.form] ?? [parts.form]);
      return parts.form === "PT"
        ? chance.pick([`${form} ${toName(parts)}`, `${toName(parts)}, PT`])
        : `${toName(parts)} ${form}`;
    },
  },
  { kind: "no legal form", spell: ({ parts }) => toName(parts) },
  {
    kind: "typing error",
    spell: ({ parts }, chance) => mistype(withForm(toName(parts), parts.form), chance),
    isLate: true,
    change: mistype,
  },
  {
    kind: "abbreviation",
    needs: ({ parts }) => (secondOf(parts)?.short.length ?? 0) > 0,
    spell: ({ parts }, chance) => toName(parts, { second: chance.pick(secondOf(parts)?.short ?? []) }),
  },
  {
    kind: "order",
    spell: ({ parts }, chance) =>
      parts.city === "" || chance.happens(0.3)
        ? `${parts.second} ${toName(parts, { second: "" })}`
        : `${parts.city} ${toName(parts, { city: "" })}`,
  },
  {
    kind: "spaces",
    spell: ({ parts }, chance) =>
      chance.pick([
        toName(parts, { first: `${parts.first}${parts.second}`, second: "" }),
        toName(parts, { first: `${parts.first}-${parts.second}`, second: "" }),
        `  ${toName(parts).replaceAll(" ", "  ")} `,
      ]),
  },
  {
    kind: "remark",
    spell: ({ parts }, chance) => chance.pick(REMARKS)(withForm(toName(parts), parts.form)),
    needs: hasLetters,
    isLate: true,
    change: (name, chance) => chance.pick(/[^ -~]/.test(name) ? REMARKS_JAPANESE : REMARKS)(name),
  },
  {
    kind: "place in brackets",
    needs: ({ parts }) => parts.city !== "" && parts.rest === "",
    spell: ({ parts }) => `${toName(parts, { city: "" })} (${parts.city})`,
  },
  {
    kind: "own script",
    needs: ({ own, isJapanese }) => own !== null && !isJapanese,
    spell: ({ own }) => own ?? "",
  },
  {
    kind: "without marks",
    needs: ({ own, isJapanese }) => own !== null && !isJapanese && /[\u0300-\u036f]/.test(own.normalize("NFD")),
    spell: ({ own }) =>
      (own ?? "")
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .replaceAll("đ", "d"),
  },
  {
    kind: "romanised",
    needs: mayBeWritten,
    spell: ({ parts }, chance) =>
      toName(parts, {
        first: chance.pick(firstOf(parts)?.latin ?? []),
        second: chance.pick([parts.second, ...(secondOf(parts)?.latin ?? [])]),
      }),
  },
  ...createJapaneseDirt(),
];

function createJapaneseDirt(): Dirt[] {
  const frame = (name: string, chance: Chance) => chance.pick(FRAMES_JAPANESE)(name);
  const inJapanese = (kind: string, spell: Dirt["spell"]): Dirt => ({ kind, needs: mayBeWritten, spell });
  const kana = ({ parts }: Writing) => firstOf(parts)?.kana ?? "";
  return [
    inJapanese("Japanese", (writing, chance) => frame(toNative(writing, chance), chance)),
    inJapanese("Japanese, place in kanji", (writing, chance) =>
      frame(toNative(writing, chance, { city: cityInKanji(writing.parts) }), chance),
    ),
    inJapanese("kana", (writing, chance) =>
      frame(toNative(writing, chance, { first: chance.pick([kana(writing), toKatakana(kana(writing))]) }), chance),
    ),
    inJapanese("half width", (writing, chance) =>
      frame(toNative(writing, chance, { first: toHalfWidth(kana(writing)) }), chance),
    ),
    inJapanese("full width", ({ parts }) => toFullWidth(toName(parts))),
    inJapanese("mixed scripts", (writing, chance) =>
      toNative(writing, chance, {
        second: ` ${chance.pick([writing.parts.second, ...(secondOf(writing.parts)?.others ?? [])])}`,
      }),
    ),
    inJapanese("translated", (writing, chance) =>
      toNative(writing, chance, { second: chance.pick(secondOf(writing.parts)?.others ?? []) ?? undefined }),
    ),
    inJapanese("variant kanji", (writing, chance) => frame(swapKanji(toNative(writing, chance)), chance)),
    inJapanese("remark in Japanese", (writing, chance) =>
      chance.pick(REMARKS_JAPANESE)(frame(toNative(writing, chance), chance)),
    ),
  ];
}

const VARIANTS: readonly (readonly [string, string])[] = [
  ["髙", "高"],
  ["濵﨑", "浜崎"],
  ["齋", "斎"],
  ["稲", "稻"],
  ["広", "廣"],
  ["沢", "澤"],
  ["学", "學"],
  ["薬", "藥"],
  ["鋼", "鋼"],
];

function swapKanji(name: string): string {
  const found = VARIANTS.find(([one, other]) => name.includes(one) || name.includes(other));
  if (found === undefined) return name;
  const [one, other] = found;
  return name.includes(one) ? name.replace(one, other) : name.replace(other, one);
}
