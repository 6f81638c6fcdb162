package sample

// The names are invented; where one is that of a real company, that is chance.

type region struct {
	en, zh string
	words  []string
	weight float64
	growth float64 // a year
}

var regions = []region{
	{"Asia", "亚洲", []string{"APAC", "亚太", "亚洲区", "Asian"}, 29, 1.09},
	{"Europe", "欧洲", []string{"EU", "EMEA", "欧洲区", "European"}, 27, 1.01},
	{"North America", "北美", []string{"NA", "北美洲", "北美区", "North American", "USA and Canada"}, 25, 1.03},
	{"South America", "南美", []string{"LATAM", "Latin America", "南美洲", "拉美", "South American"}, 9, 1.05},
	{"Africa", "非洲", []string{"非洲区", "African"}, 5, 1.12},
	{"Oceania", "大洋洲", []string{"Australia and New Zealand", "ANZ", "澳洲", "大洋洲区"}, 5, 0.98},
}

type product struct {
	en, zh   string
	category int
	words    []string
	price    int // cents
	cost     int // percent of the price
	most     int // pieces an order
	weight   float64
}

var products = []product{
	{"Desk Lamp", "台灯", 0, []string{"lamp", "灯"}, 4900, 55, 8, 13},
	{"Office Chair", "办公椅", 0, []string{"chair", "椅子"}, 18900, 63, 5, 11},
	{"Standing Desk", "升降桌", 0, []string{"desk", "桌子", "升降办公桌"}, 42900, 66, 3, 7},
	{"Notebook Set", "笔记本套装", 1, []string{"notebook", "本子", "笔记本"}, 1450, 40, 40, 16},
	{"Gel Pens", "中性笔", 1, []string{"pen", "gel pen", "笔"}, 890, 35, 60, 17},
	{"Wall Planner", "挂历", 1, []string{"planner", "calendar", "日程挂历"}, 2200, 42, 15, 8},
	{"Webcam", "摄像头", 2, []string{"camera", "网络摄像头"}, 7900, 58, 10, 14},
	{"Headset", "耳机", 2, []string{"headphones", "头戴耳机"}, 11900, 60, 8, 14},
}

type category struct {
	en, zh string
	words  []string
}

var categories = []category{
	{"Furniture", "家具", []string{"office furniture", "办公家具"}},
	{"Stationery", "文具", []string{"paper and pens", "办公文具"}},
	{"Electronics", "电子产品", []string{"electronic", "devices", "电子", "数码"}},
}

// customers are the companies of each region, the largest first.
var customers = [][]string{
	{
		"Lotus Harbor Trading", "Green Bamboo Office", "Red Kite Supplies", "Jade Bridge Partners", "Monsoon Interiors",
		"Paper Crane Ltd", "Silk Road Works", "Blue Lantern Group", "Rice Field Studio", "Cedar Gate Systems",
	},
	{
		"Alder & Finch", "Nordlicht Buero", "Maison Tilleul", "Oak Table Company", "Granite Works", "Lighthouse Consulting",
		"Piazza Nove", "Old Mill Press", "Tulip & Sons", "Harbour Lane",
	},
	{
		"Maple Ridge Supply", "Prairie Wind Co", "Copper Canyon Labs", "Lakeside Office", "Pine Street Partners", "Redwood Desk Company",
		"Blue Heron Media", "Summit Trail Group", "Cactus Flower Design",
	},
	{"Rio Claro Papel", "Andes Office", "Pampa Trading", "Tucano Digital"},
	{"Baobab Supplies", "Nile Valley Works", "Savanna Office"},
	{"Coral Bay Trading", "Southern Cross Desks", "Kauri Partners", "Wattle Studio"},
}

// customersOf has the numbers of the customers of each region, counted through
// all of them.
var customersOf = func() [][]int {
	var all [][]int
	n := 0
	for _, names := range customers {
		var numbers []int
		for range names {
			numbers = append(numbers, n)
			n++
		}
		all = append(all, numbers)
	}
	return all
}()
