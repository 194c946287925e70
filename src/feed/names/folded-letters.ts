/** No typed name is longer; the rest of a hostile name is not compared. */
const LONGEST_NAME = 300;

const COMBINING = /[\u0300-\u036f]/g;

/** Zero width, direction marks and the selectors between forms of one kanji say nothing that is read. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}/gu;

/** Latin letters that do not come apart into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { đ: "d", ð: "d", ø: "o", ł: "l", ı: "i", ß: "ss", æ: "ae", œ: "oe" };
const ODD_LETTER = /[đðøłıßæœ]/g;

const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;
const KATAKANA_TO_HIRAGANA = 0x60;
const SMALL = "ぁぃぅぇぉゕゖっゃゅょゎ";
const LARGE = "あいうえおかけつやゆよわ";
const SMALL_KANA = /[ぁぃぅぇぉゕゖっゃゅょゎ]/g;

const DASH = "[-\\u2010-\\u2015\\u2212\\u2500~\\u301c]";
/** A dash behind kana is a long vowel, except behind those that have none. */
const LONG_VOWEL = new RegExp(`(?<=[ぁ-っつ-ゖー])(?<!ん)${DASH}`, "g");
const NO_LONG_VOWEL = /(?<![ぁ-ゖー])ー+/g;

export const ASCII = /^[\x20-\x7e]*$/;

/** Folds width, case and white space alone: texts that are equal then are the same to whoever reads them. */
export const foldPlain = (name: string): string =>
  name.slice(0, LONGEST_NAME).normalize("NFKC").toLowerCase().replace(UNSEEN, "").replace(/\s+/g, " ").trim();

/**
 * Signs in the place of letters that another program had not: private use, radicals, the replacement character, "〓", and
 * "?" beside a letter. A name without them would be another one.
 */
const LOST = "[\\p{Co}\\ufffd〓⺀-⻳]|(?<=[\\p{L}\\p{N}])\\?|\\?(?=[\\p{L}\\p{N}])";
/** What stands between words. */
export const PUNCTUATION = new RegExp(`(?:(?!${LOST})[^\\p{L}\\p{N}\\p{M}])+`, "gu");

/** Folds a ticker or a registration number: its letters and digits, without the decimal of a number that was read as one. */
export const foldCode = (code: string): string =>
  fold(code.trim())
    .replace(/(?<=^\d+)\.0+$/, "")
    .replace(PUNCTUATION, "");

/** Folds width, case, kana, marks on Latin letters and variant kanji. */
export function fold(text: string): string {
  const lower = text.slice(0, LONGEST_NAME).toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = lower.normalize("NFKC").toLowerCase().replace(UNSEEN, "");
  const unmarked = plain.normalize("NFD").replace(COMBINING, "").normalize("NFC");
  return toPlainKanji(toPlainKana(unmarked.replace(ODD_LETTER, (letter) => LETTERS[letter] ?? letter)));
}

function toPlainKana(text: string): string {
  return text
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_TO_HIRAGANA))
    .replace(SMALL_KANA, (kana) => LARGE[SMALL.indexOf(kana)] as string)
    .replace(LONG_VOWEL, "ー")
    .replace(NO_LONG_VOWEL, "-");
}

/** Kanji that names of companies write in several ways, each before its usual form. */
const KANJI_VARIANTS =
  "髙高 﨑崎 嵜崎 濵浜 濱浜 邊辺 邉辺 齋斎 齊斎 斉斎 澤沢 廣広 國国 圀国 眞真 惠恵 德徳 榮栄 曾曽 冨富 嶋島 嶌島 櫻桜 瀧滝 龍竜 藏蔵 " +
  "學学 會会 圓円 驛駅 應応 橫横 黑黒 關関 氣気 舊旧 區区 經経 藝芸 縣県 劍剣 劔剣 劒剣 剱剣 檢検 權権 顯顕 嚴厳 號号 濟済 劑剤 " +
  "雜雑 參参 實実 寫写 釋釈 壽寿 收収 從従 澁渋 緖緒 將将 燒焼 奬奨 條条 狀状 乘乗 淨浄 疊畳 孃嬢 讓譲 釀醸 愼慎 晉晋 圖図 粹粋 " +
  "數数 聲声 靜静 攝摂 專専 淺浅 錢銭 纖繊 禪禅 雙双 壯壮 總総 聰聡 莊荘 裝装 增増 續続 體体 對対 帶帯 臺台 擇択 單単 團団 彈弾 " +
  "晝昼 蟲虫 鑄鋳 廳庁 鎭鎮 鐵鉄 鐡鉄 轉転 點点 傳伝 燈灯 當当 稻稲 獨独 讀読 姬姫 拜拝 賣売 麥麦 發発 晚晩 祕秘 拂払 佛仏 變変 " +
  "辨弁 瓣弁 辯弁 寶宝 寳宝 豐豊 萬万 滿満 彌弥 譯訳 藥薬 與与 譽誉 餘余 樣様 謠謡 搖揺 來来 賴頼 覽覧 兩両 綠緑 勵励 禮礼 靈霊 " +
  "齡齢 歷歴 戀恋 鍊錬 爐炉 勞労 樓楼 祿禄 彥彦 亞亜 壓圧 圍囲 醫医 爲為 壹壱 飮飲 營営 衞衛 悅悦 鹽塩 奧奥 溫温 穩穏 價価 畫画 " +
  "擴拡 覺覚 嶽岳 樂楽 卷巻 罐缶 觀観 龜亀 歸帰 峽峡 曉暁 勳勲 薰薫 鷄鶏 螢蛍 輕軽 繼継 圈圏 恆恒 鑛鉱 𠮷吉 圡土 舘館 渕淵 渊淵 " +
  "峯峰 埜野 檜桧 籠篭 穐秋 穗穂 靏鶴 靍鶴 瀨瀬 楳梅 枩松 栁柳 栢柏 槗橋 郞郎 舩船 凉涼 凜凛 堯尭 遙遥 槇槙 瑤瑶 萊莱 藪薮 蘆芦 " +
  "諫諌 麴麹 麵麺 鷗鴎 蠟蝋 桝枡 淸清 步歩 每毎 靑青 吳呉 敎教 硏研 強強 產産 稅税 說説 舖舗 戶戸 內内 " +
  // radicals, which a text that is copied from a PDF may have in place of kanji; of others no kanji is certain
  "⻄西 ⻑長 ⻘青 ⺠民 ⻁虎 ⻆角 ⻋車 ⻝食 ⻤鬼 ⻣骨 ⻨麦 ⻩黄 ⻫斎 ⻭歯 ⻯竜 ⻲亀 ⺒巳 ⺩王 ⺬示 ⺫目 ⺝月";

const USUAL_KANJI = new Map(
  KANJI_VARIANTS.split(" ").map((pair) => {
    const [variant = "", usual = ""] = pair;
    return [variant, usual];
  }),
);
const VARIANT_KANJI = new RegExp(`[${[...USUAL_KANJI.keys()].join("")}]`, "gu");

/** Writes each kanji in its usual form. */
const toPlainKanji = (text: string): string => text.replace(VARIANT_KANJI, (kanji) => USUAL_KANJI.get(kanji) ?? kanji);
