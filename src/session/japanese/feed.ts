import type { Catalogue } from "../../client/messages";

/** What queries say, by the English templates. */
export const FEED: Catalogue = {
  "this takes about {0} requests; confirm in the FEED pane":
    "約 {0} 件の要求が必要です。FEED ウィンドウで確認してください",
  'the provider\'s "{0}" is no object; report it to the provider':
    'データ提供元の "{0}" がオブジェクトではありません。データ提供元に報告してください',
  'the provider\'s "{0}" is no list; report it to the provider':
    'データ提供元の "{0}" が一覧ではありません。データ提供元に報告してください',
  "the provider's financials name no company; report it to the provider":
    "データ提供元の財務情報に企業が示されていません。データ提供元に報告してください",
  "a fiscal year of the provider has no number; report it to the provider":
    "データ提供元の会計年度に番号がありません。データ提供元に報告してください",
  'metrics has "{0}", which no answer has; the closest is "{1}"':
    'metrics の "{0}" はどの応答にもありません。最も近い指標は "{1}" です',
  "{0} of {1} is empty at the provider; ask for another year or metric":
    "{1} 年度の {0} は、データ提供元で空欄です。別の年度または指標を指定してください",
  "{0} of {1} is no number in the provider's answer; report it to the provider":
    "データ提供元の応答で、{1} 年度の {0} が数値ではありません。データ提供元に報告してください",
  "the provider does not give {0} for {1}; ask for another year or metric":
    "データ提供元は {1} 年度の {0} を提供していません。別の年度または指標を指定してください",
  "{0} of {1}": "{1} 年度の {0}",
  '{0} of {1} has no basis "{2}"; give one of {3}':
    '{1} 年度の {0} に区分 "{2}" はありません。次のいずれかを指定してください：{3}',
  'no "{0}" in {1}; ask for {2}': '{1} 年度に "{0}" はありません。{2} を指定してください',
  'no metric "{0}" in {1}; the year has none, ask for another':
    '{1} 年度に指標 "{0}" はありません。この年度には指標がないため、別の年度を指定してください',
  'no metric "{0}" in {1}; do you mean {2}?': '{1} 年度に指標 "{0}" はありません。もしかして：{2}',
  'no metric "{0}" in {1}; ask for one of {2}':
    '{1} 年度に指標 "{0}" はありません。次のいずれかを指定してください：{2}',
  'no fiscal year {0}; ask for another one, or "FY0" for the latest':
    '会計年度 {0} はありません。別の年度か、最新年度の "FY0" を指定してください',
  "no fiscal year {0}; ask for one of {1}": "会計年度 {0} はありません。次のいずれかを指定してください：{1}",
  "{0} of {1} stands in several statements; ask for {2}":
    "{1} 年度の {0} は複数の財務諸表にあります。{2} を指定してください",
  "{0} of {1} stands twice in the provider's answer with different values; report it to the provider":
    "データ提供元の応答に、{1} 年度の {0} が異なる値で 2 回あります。データ提供元に報告してください",
  "{0} of {1} stands in only one of several periods; give a basis: {2}":
    "{1} 年度の {0} は、複数の期間のうち一部にしかありません。区分を指定してください：{2}",
  "{0} of {1} has several values; give a basis: {2}":
    "{1} 年度の {0} には複数の値があります。区分を指定してください：{2}",
  "{0} has only interim figures, which have no name to ask for; give another year":
    "{0} は中間期の数値のみで、期間の名称がないため指定できません。別の年度を指定してください",
  "{0} has only interim figures ({1}); add {2} as basis":
    "{0} は中間期の数値（{1}）のみです。区分に {2} を指定してください",
  "{0} and {1} more": "{0}、ほか {1} 件",
  private: "非上場",
  listed: "上場",
  "{0}: no financials": "{0}：財務情報なし",
  '"{0}" ({1})': '"{0}"（{1}）',
  "private-market": "非上場企業データ",
  classified: "産業分類データ",
  "{0} and {1}": "{0}と{1}",
  " (without {0} companies, which this client may not read)": "（このクライアントが参照できない{0}の企業を除く）",
  'no company fits "{0}"{1}; try a shorter part of the name or another spelling':
    '"{0}" に合う企業はありません{1}。名称の一部か、別の表記を試してください',
  'no company of {0} fits "{1}"{2}; try a shorter part of the name, another spelling, or "ALL" as country':
    '{0} に "{1}" に合う企業はありません{2}。名称の一部か別の表記、または国 "ALL" を試してください',
  '{0} companies fit "{1}"; give more of the name, or top':
    '"{1}" に合う企業が {0} 社あります。名称をさらに長く入力するか、top を指定してください',
  '"{0}" fits {1} companies: {2}; choose one in the FEED pane, or put one of the quoted texts in place of the name':
    '"{0}" に合う企業が {1} 社あります：{2}。FEED ウィンドウで選ぶか、名称の代わりに引用符内のいずれかを指定してください',
  '"{0}" (the company of this registration number)': '"{0}"（この登録番号の企業）',
  '"{0}" is a registration number and a ticker or name: {1}; put one of the quoted texts in place of it':
    '"{0}" は登録番号でもあり、証券コードまたは名称でもあります：{1}。代わりに引用符内のいずれかを指定してください',
  " in {0}": "{0} の",
  " that this client may read": "このクライアントが参照できる",
  "correct the spelling": "表記を修正してください",
  'correct the spelling, or write its country before it: "{0}:{1}"':
    '表記を修正するか、国を前に付けてください："{0}:{1}"',
  "correct the spelling, or search all countries in Find": "表記を修正するか、「検索」ですべての国を検索してください",
  "with another legal form: {0}; write that one or none, or choose the company in the FEED pane":
    "法人格の異なる名称：{0}。その法人格で書くか省くか、FEED ウィンドウで企業を選んでください",
  "closest: {0}; correct the spelling, or choose the company in the FEED pane":
    "近い名称：{0}。表記を修正するか、FEED ウィンドウで企業を選んでください",
  'no company{0}{1} is called "{2}"; {3}': '{1}{0} "{2}" という企業はありません。{3}',
  '{0}, which "{1}" means here,': '"{1}" が指す{0}',
  "{0} (private)": "{0}（非上場）",
  "{0} (listed, {1})": "{0}（上場 {1}）",
  "{0} is not among the classified companies; choose another company":
    "{0}は、分類済み企業の中にありません。別の企業を選んでください",
  "{0} has no private-market record: only private companies have one; choose another company":
    "{0}は、非上場企業データにありません。データがあるのは非上場企業のみです。別の企業を選んでください",
  "{0} has no private-market record; choose another company":
    "{0}は、非上場企業データにありません。別の企業を選んでください",
  "{0} has no financials: only private companies have them; choose another company":
    "{0}には財務情報がありません。財務情報があるのは非上場企業のみです。別の企業を選んでください",
  "{0} has no financials; choose another company": "{0}には財務情報がありません。別の企業を選んでください",
  "{0} has no financials for {1}; give another year, or choose another company":
    "{0}には {1} 年度の財務情報がありません。別の年度を指定するか、別の企業を選んでください",
  "the index of names is lost; build it again in the FEED pane":
    "企業名の索引が失われました。FEED ウィンドウで作成し直してください",
  "many requests": "多数の要求",
  "about {0} requests": "約 {0} 件の要求",
  "the index of names for {0} is not built: {1}; build it in the FEED pane":
    "{0} の企業名の索引がまだありません（作成には{1}が必要です）。FEED ウィンドウで作成してください",
  "the index of names for {0} is being built: {1} of {2}; this shows when it is built":
    "{0} の企業名の索引を作成中です（{2}のうち {1} 件）。完成すると表示されます",
  "the list is too long for a formula; give a smaller top":
    "一覧が長すぎて数式では表示できません。top を小さくしてください",
  "ask for the first {0} at most, or report it to the provider":
    "先頭の {0} 件までを指定するか、データ提供元に報告してください",
  "refresh later, or give a smaller top": "後で更新するか、top を小さくしてください",
  "the provider's pages leave rows out; {0}": "データ提供元のページで行が抜けています。{0}",
  "the provider's list changed each time it was read; {0}": "データ提供元の一覧が、読むたびに変わりました。{0}",
  "the provider's pages have some rows twice and others not at all; {0}":
    "データ提供元のページに、重複した行と抜けた行があります。{0}",
  "the provider's pages have rows twice that nothing tells apart; {0}":
    "データ提供元のページに、区別できない重複した行があります。{0}",
  "the provider announced {0} rows and its pages hold only {1}; {2}":
    "データ提供元は {0} 行と示しましたが、ページには {1} 行しかありません。{2}",
  "the provider announced {0} rows and gives the same {1} for every page; {2}":
    "データ提供元は {0} 行と示しましたが、どのページにも同じ {1} 行を返します。{2}",
  "the provider gives the same {0} rows for every page and does not say whether they are all; {1}":
    "データ提供元はどのページにも同じ {0} 行を返し、それが全部かどうかを示していません。{1}",
  "the provider answers with other pages than requested; report it to the provider":
    "データ提供元が、要求とは別のページを返しました。データ提供元に報告してください",
  "this workbook's figures are from {0}; confirm in the FEED pane to fill it from {1}":
    "このブックの数値は {0} のものです。{1} の数値を入れるには FEED ウィンドウで確認してください",
  "sample data": "サンプルデータ",
  'this client may not search all countries for the registration number "{0}"{1}; use the company\'s id, or ask the provider':
    'このクライアントには、登録番号 "{0}" をすべての国で検索する権限がありません{1}。企業の ID を使うか、データ提供元に問い合わせてください',
  '"{0}" names {1} companies: {2}; put one of the quoted ids in place of the number':
    '"{0}" に当たる企業が {1} 社あります：{2}。番号の代わりに引用符内の ID のいずれかを指定してください',
  '"{0}" does not always name the same company: {1}; put one of the quoted ids in place of the number':
    '"{0}" が常に同じ企業を指していません：{1}。番号の代わりに引用符内の ID のいずれかを指定してください',
  'no company has the id or registration number "{0}"; check the number':
    'ID または登録番号が "{0}" の企業はありません。番号を確認してください',
  'the search for "{0}" gives {1} companies or more, too many to tell; use the company\'s id':
    '"{0}" の検索結果が {1} 社以上あり、特定できません。企業の ID を指定してください',
  'the provider answers the registration number "{0}" with {1} companies; use the company\'s id':
    'データ提供元が登録番号 "{0}" に対して {1} 社を返しました。企業の ID を指定してください',
  'the provider announces financials of {0} for the registration number "{1}" and gives {2}; use the company\'s id':
    'データ提供元は登録番号 "{1}" の財務情報を {0} 件と示しましたが、返されたのは {2} 件です。企業の ID を指定してください',
  "a script of this add-in was not reached; check the network and that the companion runs, then refresh":
    "アドインのスクリプトを読み込めませんでした。ネットワークと、コンパニオンが動作していることを確認してから更新してください",
  'the id "{0}" of the provider cannot be asked for; use another':
    'データ提供元の ID "{0}" は照会に使えません。別の ID を使ってください',
  "a company stands in several rows; ask for the whole list":
    "1 つの企業が複数の行にあります。一覧全体を指定してください",
  "the provider's list of companies names none; report it to the provider":
    "データ提供元の企業一覧に企業が示されていません。データ提供元に報告してください",
  "the provider puts the company in {0} primary {1}; use FEED.CONSTITUENTS with {2}":
    "データ提供元はこの企業を {0} 個の主たる{1}に分類しています。FEED.CONSTITUENTS に {2} を指定してください",
  "use FEED.CONSTITUENTS with {0}": "FEED.CONSTITUENTS に {0} を指定してください",
  "name a node in FEED.CONSTITUENTS": "FEED.CONSTITUENTS で分類を指定してください",
  "the provider names no primary {0} of the company; {1}": "データ提供元はこの企業の主たる{0}を示していません。{1}",
  '"{0}" has no company, by a choice kept in this workbook; choose one in the FEED pane':
    '"{0}" は、このブックで該当なしとされています。FEED ウィンドウで企業を選んでください',
  industry: "業種",
  "an industry": "業種",
  industries: "業種",
  "sub-sector": "サブセクター",
  "a sub-sector": "サブセクター",
  "sub-sectors": "サブセクター",
  sector: "セクター",
  "a sector": "セクター",
  sectors: "セクター",
  '"{0}" stands for {1} nodes; write {2}': '"{0}" に当たる分類が {1} 個あります。{2} と書いてください',
  '"{0}" is {1}; give the id of {2}': '"{0}" は{1}です。{2}の ID を指定してください',
  'the taxonomy has no node "{0}"; the provider\'s tree is empty, refresh later':
    '分類に "{0}" はありません。データ提供元の分類が空です。後で更新してください',
  "{0} ({1}{2})": "{0}（{1}{2}）",
  'the taxonomy has no node "{0}"; did you mean {1}?': '分類に "{0}" はありません。もしかして：{1}',
  'the taxonomy has no node "{0}"; ids are in FEED.TAXONOMY()':
    '分類に "{0}" はありません。ID は FEED.TAXONOMY() で確認できます',
  'the taxonomy has no company {0}, which "{1}" means; give the id that it has there':
    '"{1}" に当たる企業 {0} は分類にありません。分類での ID を指定してください',
};
