import { foldWhole } from "../folding";
import { listFormWords } from "../legal-forms";
import { countEdits } from "./likeness";

/**
 * Words that many companies' names share, a meaning a line: English words, then words in Japanese, each with its reading
 * behind a colon where it has kanji. A word of one language stands for those of the other.
 */
const MEANINGS = `
foods food | 食品:しょくひん 食品工業:しょくひんこうぎょう フーズ フード
logistics | 物流:ぶつりゅう ロジスティクス ロジスティックス ロジ
transport transportation | 運輸:うんゆ 運送:うんそう 輸送:ゆそう トランスポート
express | 急送:きゅうそう エクスプレス
warehouse warehousing | 倉庫:そうこ
precision | 精密:せいみつ 精工:せいこう 精機:せいき
chemicals chemical | 化学:かがく 化成:かせい ケミカル
pharma pharmaceutical pharmaceuticals | 製薬:せいやく 薬品:やくひん 薬局:やっきょく ファーマ
construction | 建設:けんせつ 建築:けんちく 工務店:こうむてん コンストラクション
engineering engineer | 技研:ぎけん エンジニアリング
electronics electronic | 電子:でんし エレクトロニクス
electric electrical | 電気:でんき 電機:でんき 電器:でんき エレクトリック
power | 電力:でんりょく パワー
trading trade | 商事:しょうじ 貿易:ぼうえき 通商:つうしょう 交易:こうえき トレーディング
shoten | 商店:しょうてん
shokai | 商会:しょうかい
shop store stores | 本店:ほんてん ショップ ストア ストアー
systems system | システム システムズ
textiles textile | 繊維:せんい 紡績:ぼうせき テキスタイル
marine shipping | 海運:かいうん 汽船:きせん 船舶:せんぱく マリン
shipbuilding | 造船:ぞうせん
fisheries fishery | 水産:すいさん 漁業:ぎょぎょう
energy | エネルギー エナジー
brewing brewery breweries | 酒造:しゅぞう 醸造:じょうぞう ブルーイング
sake | 酒:さけ
steel | 製鋼:せいこう 製鉄:せいてつ 鉄鋼:てっこう スチール
metal metals | 金属:きんぞく メタル
mining | 鉱業:こうぎょう
paper | 製紙:せいし 紙業:しぎょう ペーパー
motors motor automobile automobiles automotive auto | 自動車:じどうしゃ 自動車工業:じどうしゃこうぎょう モーターズ モータース モーター オート
robotics robot robots | ロボット ロボティクス ロボテック
estate realty property properties | 不動産:ふどうさん 地所:じしょ エステート リアルティ
housing homes home | 住宅:じゅうたく ハウジング ホーム ハウス
medical medicine | 医療:いりょう メディカル
healthcare health | ヘルスケア 健康:けんこう ヘルス
farm farms | 農園:のうえん 農場:のうじょう ファーム
agriculture agri | 農業:のうぎょう アグリ
glass | 硝子:がらす ガラス グラス
travel tourism | 観光:かんこう 旅行:りょこう トラベル ツーリスト
hotel hotels | ホテル 旅館:りょかん
education | 教育:きょういく 学院:がくいん エデュケーション
bakery bread | ベーカリー 製パン:せいぱん パン
confectionery | 製菓:せいか 菓子:かし
printing | 印刷:いんさつ プリンティング
publishing | 出版:しゅっぱん 書房:しょぼう パブリッシング
capital | キャピタル
aqua | アクア
water | 水道:すいどう ウォーター
optics optical | 光学:こうがく オプティクス オプティカル
furniture | 家具:かぐ ファニチャー
holdings holding | ホールディングス ホールディング 持株会社:もちかぶがいしゃ
group | グループ
manufacturing | 製造:せいぞう マニュファクチャリング
works | 製作所:せいさくしょ ワークス
factory | 工場:こうじょう ファクトリー
industries industry industrial | 工業:こうぎょう 産業:さんぎょう インダストリー インダストリーズ
heavy | 重工:じゅうこう 重工業:じゅうこうぎょう
kogyo | 興業:こうぎょう
machinery machine machines | 機械:きかい マシナリー
tool tools | 工具:こうぐ 工機:こうき ツール
technology technologies | テクノロジー テクノロジーズ 技術:ぎじゅつ
research | 研究所:けんきゅうじょ リサーチ
laboratory laboratories lab labs | ラボ ラボラトリー
institute | 総研:そうけん 総合研究所:そうごうけんきゅうじょ
design | デザイン
planning | 企画:きかく プランニング
services service | サービス
solutions solution | ソリューション ソリューションズ
consulting | コンサルティング
communications communication telecom | 通信:つうしん コミュニケーション コミュニケーションズ テレコム
information | 情報:じょうほう インフォメーション
software | ソフトウェア ソフト
data | データ
network networks | ネットワーク
digital | デジタル
media | メディア
broadcasting | 放送:ほうそう
advertising | 広告:こうこく
entertainment | エンタテインメント エンターテインメント
sports | スポーツ
music | 音楽:おんがく ミュージック
game games | ゲーム ゲームス ゲームズ
bank | 銀行:ぎんこう バンク
finance financial | 金融:きんゆう ファイナンス フィナンシャル
securities | 証券:しょうけん
insurance | 保険:ほけん
trust | 信託:しんたく
lease leasing | リース
investment investments | 投資:とうし インベストメント
partners | パートナーズ
international | インターナショナル 国際:こくさい
global | グローバル
materials material | 素材:そざい マテリアル
rubber | ゴム 護謨:ごむ
plastics plastic | 樹脂:じゅし プラスチック
cement | セメント
ceramics ceramic | セラミックス 窯業:ようぎょう
wood timber lumber | 木材:もくざい
oil petroleum | 石油:せきゆ オイル
gas | ガス 瓦斯:がす
environment environmental | 環境:かんきょう
railway railways | 鉄道:てつどう 電鉄:でんてつ
air airlines airways | 航空:こうくう エア エアライン
taxi | タクシー 交通:こうつう
apparel clothing | 衣料:いりょう アパレル
dye | 染色:せんしょく
shoes | 靴:くつ シューズ
watch | 時計:とけい
instruments instrument | 計器:けいき 計測:けいそく
parts | 部品:ぶひん パーツ
packaging package | 包装:ほうそう パッケージ パック
semiconductor semiconductors | 半導体:はんどうたい セミコンダクター
department | 百貨店:ひゃっかてん
security | 警備:けいび セキュリティ セキュリティー
living life | ライフ 生活:せいかつ
garden | 園芸:えんげい ガーデン
kitchen | キッチン
restaurant | 食堂:しょくどう レストラン
coffee | 珈琲:こーひー コーヒー
tea | 製茶:せいちゃ 茶:ちゃ
rice | 米穀:べいこく
seafood | 海産:かいさん
meat | 食肉:しょくにく ミート
dairy | 乳業:にゅうぎょう
beauty cosmetics cosmetic | 化粧品:けしょうひん 美容:びよう ビューティー コスメ コスメティクス
new | 新:しん ニュー
first | 第一:だいいち ファースト
general | 総合:そうごう ゼネラル
united | ユナイテッド
japan nippon nihon | 日本:にほん ジャパン ニッポン
east | 東日本:ひがしにほん イースト
west | 西日本:にしにほん ウエスト
asia | アジア
thailand thai | タイ
tokyo | 東京:とうきょう
osaka | 大阪:おおさか
nagoya | 名古屋:なごや
kyoto | 京都:きょうと
yokohama | 横浜:よこはま
kobe | 神戸:こうべ
fukuoka | 福岡:ふくおか
sapporo | 札幌:さっぽろ
sendai | 仙台:せんだい
hiroshima | 広島:ひろしま
kanazawa | 金沢:かなざわ
niigata | 新潟:にいがた
kawasaki | 川崎:かわさき
saitama | 埼玉:さいたま
chiba | 千葉:ちば
kanagawa | 神奈川:かながわ
shizuoka | 静岡:しずおか
hamamatsu | 浜松:はままつ
okayama | 岡山:おかやま
kumamoto | 熊本:くまもと
kagoshima | 鹿児島:かごしま
nagasaki | 長崎:ながさき
okinawa | 沖縄:おきなわ
hokkaido | 北海道:ほっかいどう
tohoku | 東北:とうほく
kanto | 関東:かんとう
chubu | 中部:ちゅうぶ
kansai | 関西:かんさい
kyushu | 九州:きゅうしゅう
shikoku | 四国:しこく
hokuriku | 北陸:ほくりく
nagano | 長野:ながの
gifu | 岐阜:ぎふ
toyama | 富山:とやま
nara | 奈良:なら
gunma | 群馬:ぐんま
tochigi | 栃木:とちぎ
ibaraki | 茨城:いばらき
hyogo | 兵庫:ひょうご
aichi | 愛知:あいち
singapore | シンガポール 新加坡
`;

/** Abbreviations before what they stand for; Japanese ones as they are written. */
const ABBREVIATIONS = `
intl international|int'l international|hldgs holdings|hldg holdings|hd holdings|hds holdings|hdgs holdings|mfg manufacturing|mfr manufacturing|mnfg manufacturing
ind industries|inds industries|indus industries|sys systems|syst systems|svc services|svcs services|serv services|tech technology|techs technologies
eng engineering|engr engineering|engg engineering|grp group|gp group|dev development|devt development|mgmt management|mgt management|dist distribution
elec electric|elect electric|electr electronics|elecs electronics|pharm pharma|pharmas pharma|chem chemicals|chems chemicals|constr construction|const construction|cons construction
trdg trading|trad trading|tdg trading|trans transport|transp transport|logis logistics|log logistics|logi logistics|prod products|prods products|rsch research|res research
natl national|nat'l national|govt government|assoc associates|assn association|bros brothers|ctr center|centre center|fin finance|ins insurance|inv investment|invt investment
mkt marketing|mktg marketing|med medical|edu education|educ education|comm communications|comms communications|tel telecom|info information|fd foods|fds foods
mtr motors|mtrs motors|stl steel|mtl metal|mach machinery|mchy machinery|prec precision|precn precision|robo robotics|text textiles|txtl textiles|furn furniture
prtg printing|print printing|brew brewing|bkry bakery|est estate|cap capital|nrg energy|enrg energy|optic optics|trvl travel
spore singapore|bkk bangkok|jkt jakarta|sby surabaya|hcmc ho chi minh city|hcm ho chi minh|hk hong kong|kl kuala lumpur|mnl manila
自工 自動車工業|重工 重工業|電工 電気工業|化工 化学工業|エレ エレクトロニクス|コンサル コンサルティング|アド 広告|証 証券|製作 製作所|研 研究所
`;

/** A meaning's words in one language. */
interface Meaning {
  english: readonly string[];
  /** With the reading in kana; of a word in kana that word. */
  japanese: readonly { word: string; reading: string }[];
}

const toLines = (text: string) => text.trim().split("\n");

export const listMeanings = (): Meaning[] =>
  toLines(MEANINGS).map((line) => {
    const [english = "", japanese = ""] = line.split(" | ");
    const words = japanese.split(" ").map((each) => {
      const [word = "", reading = word] = each.split(":");
      return { word, reading };
    });
    return { english: english.split(" "), japanese: words };
  });

export const listAbbreviations = (): [short: string, long: string][] =>
  toLines(ABBREVIATIONS)
    .flatMap((line) => line.split("|"))
    .map((pair) => /^(\S+) (.+)$/.exec(pair)?.slice(1) as [string, string]);

/** Words that tell no company from another. */
export const IDLE_WORDS: ReadonlySet<string> = new Set("the and of und et de no for n 及び 様 殿 御中".split(" "));

const TELLING_WORDS: ReadonlySet<string> = new Set("private public partnership and npo".split(" "));

/** Words of legal forms, wherever in a name they stand, but for those that are words of names too. */
export const FORM_WORDS: ReadonlySet<string> = new Set(listFormWords().filter((word) => !TELLING_WORDS.has(word)));

const LETTERS = /\b[a-z](?: [a-z]\b)+/g;

/** Writes a legal form of single letters as one word: "k k" of "K. K." is "kk". */
export const joinLetters = (folded: string): string =>
  folded.replace(LETTERS, (letters) => {
    const joined = letters.replaceAll(" ", "");
    return FORM_WORDS.has(joined) ? joined : letters;
  });

/** Whether a word is a legal form, also one that is mistyped. */
export const isForm = (text: string): boolean => FORM_WORDS.has(text) || toLongForm(text) !== undefined;

const SHORTEST_MISTYPED = 6;
const LONG_FORMS = [...FORM_WORDS].filter((form) => /^[a-z]{7,}$/.test(form));

const toLongForm = (text: string): string | undefined =>
  text.length < SHORTEST_MISTYPED
    ? undefined
    : LONG_FORMS.find((form) => text[0] === form[0] && countEdits(text, form, 1) <= 1);

/** Long legal forms before their short ones. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/company/g, "co"],
  [/limited/g, "ltd"],
  [/incorporated/g, "inc"],
  [/corporation|corpn/g, "corp"],
  [/berhad/g, "bhd"],
  [/private|pvt/g, "pte"],
  [/joint stock(?: co)?/g, "jsc"],
  [/public co ltd/g, "pcl"],
  [/kabushiki ?[kg]aisha/g, "kk"],
];

const STOCK_COMPANY = /株式会社/;
const OTHER_OWN_FORM = /有限会社|合同会社|合資会社|合名会社/;

/**
 * Reads the legal form of a name so that equal ones are equal texts: "co ltd" of "Foods Company Limited". Of a 株式会社 it
 * says the side too, "^" before and "$" behind the name, where it is written out and without a space.
 *
 * @returns an empty text where there is none, or one that says little: "Co."
 */
export function readForm(name: string): string {
  const whole = foldWhole(name);
  const own = OTHER_OWN_FORM.exec(whole);
  if (own !== null) return own[0];
  if (STOCK_COMPANY.test(whole)) return `株式会社${toSide(name.trim())}`;
  const words = joinLetters(whole).split(" ");
  const last = words.findLastIndex((word) => !isForm(word));
  const form = words
    .slice(last + 1)
    .map((word) => toLongForm(word) ?? word)
    .join(" ");
  const short = SHORT.reduce((text, [long, usual]) => text.replace(long, usual), form);
  if (short !== "") return short === "co" ? "" : short;
  return isForm(words[0] as string) ? (words[0] as string) : "";
}

const toSide = (name: string): string => (/^株式会社\S/.test(name) ? "^" : /\S株式会社$/.test(name) ? "$" : "");

/** Whether legal forms are one; a company of "Co., Ltd." may be written "Ltd." alone. */
export const isSameForm = (written: string, own: string): boolean =>
  written === own ||
  (written === "ltd" && own.endsWith(" ltd")) ||
  (isStock(written) && isStock(own) && written.length !== own.length);

const isStock = (form: string) => STOCK_COMPANY.test(form);

/** Whether a form is of Latin letters; a company's others do not speak against it. */
export const isLatinForm = (form: string): boolean => /^[a-z]/.test(form);
