/** Kana as they are folded: hiragana, with large in place of small ones. */
const KANA =
  "あa いi うu えe おo かka きki くku けke こko がga ぎgi ぐgu げge ごgo さsa しshi すsu せse そso ざza じji ずzu ぜze ぞzo " +
  "たta ちchi つtsu てte とto だda ぢji づzu でde どdo なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho ばba びbi ぶbu べbe ぼbo " +
  "ぱpa ぴpi ぷpu ぺpe ぽpo まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa ゐi ゑe をo んn ゔbu ー";

const LATIN = new Map(KANA.split(" ").map((pair) => [pair[0] as string, pair.slice(1)]));

/** Kana before which a small tsu, which is folded to a large one, may double the consonant. */
const MAY_BE_DOUBLED = /つ(?=[か-ぢて-どぱぴぷぺぽ])/g;

const isKana = (text: string): boolean => /^[ぁ-ゖー]+$/.test(text);

const toLatin = (kana: string): string => [...kana].map((each) => LATIN.get(each) ?? "").join("");

/**
 * Ways of writing Japanese in Latin letters, before the one that they are compared in: Kunrei and Nihon style to Hepburn,
 * long vowels to short ones, and letters that transcriptions do not tell apart.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/sy(?=[auo])/g, "sh"],
  [/ty(?=[auo])|cy(?=[auo])/g, "ch"],
  [/(?:z|j|d)y(?=[auo])/g, "j"],
  [/([sc]h|j)i?y(?=[auo])/g, "$1"],
  [/(?<![sctwp])hu/g, "fu"],
  [/fu(?=[aeio])/g, "f"],
  [/c(?=[ei]|y(?![auo]))/g, "s"],
  [/si(?!o)/g, "shi"],
  [/ti(?!o)/g, "chi"],
  [/tu/g, "tsu"],
  [/zi|di/g, "ji"],
  [/dzu|du/g, "zu"],
  [/([kgnhbpmr])iy?(?=[auo])/g, "$1y"],
  [/oh(?![aeiouy])/g, "o"],
  [/o[ou]/g, "o"],
  [/uu/g, "u"],
  [/aa/g, "a"],
  [/ii/g, "i"],
  [/ee/g, "e"],
  [/m(?=[bpm])/g, "n"],
  [/tch/g, "ch"],
  [/l/g, "r"],
  [/v/g, "b"],
  [/ph/g, "f"],
  [/x/g, "ks"],
  [/c(?!h)/g, "k"],
  [/y(?![aeiou])/g, "i"],
  [/([bdfgjkmnprstz])\1/g, "$1"],
];

/** Gives the form in which spellings of one word in Latin letters are equal: "Saitou", "Saitoh" and "Saito" are "saito". */
export const toSpelling = (word: string): string =>
  SPELLINGS.reduce((text, [pattern, usual]) => text.replace(pattern, usual), word).replace(/(?<=..[^s])s$/, "");

/** The spellings of folded kana in Latin letters, one or two; none for other text. */
export function romanise(text: string): string[] {
  if (!isKana(text)) return [];
  const written = toSpelling(toLatin(text));
  const doubled = toSpelling(toLatin(text.replace(MAY_BE_DOUBLED, "")));
  return [...new Set([written, doubled])].filter((spelling) => spelling !== "");
}
