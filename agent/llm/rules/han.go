package rules

import "strings"

// simple are the simplified forms of traditional characters that words of ours
// are written with. Both take three bytes, so that places in a text stay.
var simple = func() map[rune]rune {
	table := map[rune]rune{}
	pairs := []rune("銷销額额訂订單单產产區区歐欧亞亚員员戶户幾几個个這这為为與与對对從从業业績绩圖图報报總总結结匯汇發发給给將将請请時时間间後后來来會会們们說说麼么樣样還还過过開开關关週周東东復复刪删暫暂執执動动務务檢检視视檔档電电腦脑筆笔記记書书數数據据環环較较趨趋勢势導导傳传頻频憶忆語语話话讓让誰谁經经現现應应當当無无沒没種种類类價价錢钱漲涨長长減减雙双週周類类設设計计劃划選选變变換换終终統统計计頂顶顯显點点兩两萬万億亿節节製制單单買买賣卖貨货編编號号稱称簡简縮缩預预議议題题問问聽听讀读寫写門门進进運运達达遠远邊边類类靜静願愿幫帮該该誤误謝谢譯译續续網网線线維维緊紧練练績绩")
	for i := 0; i+1 < len(pairs); i += 2 {
		table[pairs[i]] = pairs[i+1]
	}
	return table
}()

// simplified writes a text in simplified characters, but not what looks like the
// name of a channel.
func simplified(text string) string {
	if ascii(text) {
		return text
	}
	names := channelPattern.FindAllStringIndex(text, -1)
	var b strings.Builder
	for i, r := range text {
		for len(names) > 0 && names[0][1] <= i {
			names = names[1:]
		}
		s, ok := simple[r]
		if !ok || len(names) > 0 && names[0][0] <= i {
			if r == '\uFFFD' {
				return text // no text, and not to be touched
			}
			b.WriteRune(r)
			continue
		}
		b.WriteRune(s)
	}
	return b.String()
}
