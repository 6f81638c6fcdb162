package sample

import "hermes/agent/tool/querydb"

// Layer returns what may be asked of the sample, with the words for it. Its DSN
// is for the caller to set: the path that Open was given.
func Layer() querydb.Layer {
	// LEFT, since SQLite leaves out what it does not need of such a join.
	const from = `orders o LEFT JOIN regions r ON r.id = o.region LEFT JOIN products p ON p.id = o.product
LEFT JOIN categories c ON c.id = p.category LEFT JOIN customers u ON u.id = o.customer`
	measure := func(name, en, zh, sql string, synonyms ...string) querydb.Measure {
		return querydb.Measure{
			Name: name, Label: querydb.Label{En: en, Zh: zh}, Synonyms: synonyms,
			SQL: sql, From: from, Time: "o.day", Daily: true,
		}
	}
	money := func(m querydb.Measure) querydb.Measure {
		m.Unit, m.Scale = "USD", 2
		return m
	}
	// The sums are of whole cents, so they are exact; the point comes last.
	average := money(measure("average_order_value", "Average order value", "客单价", "SUM(o.amount) / 100.0 / COUNT(*)",
		"AOV", "average order", "basket size", "average basket", "平均订单金额", "平均订单额", "笔单价"))
	average.NoTotal = true
	return querydb.Layer{
		Name: "sales", Dialect: querydb.SQLite,
		Measures: []querydb.Measure{
			money(measure("sales", "Sales", "销售额", "SUM(o.amount) / 100.0",
				"revenue", "turnover", "sales revenue", "sales figures", "sales data", "income", "销售", "销售数据", "营业额", "营收", "收入", "销售收入", "业绩", "销售业绩")),
			measure("orders", "Orders", "订单数", "COUNT(*)",
				"order count", "number of orders", "how many orders", "订单", "订单量", "订单数量", "单量"),
			measure("units", "Units sold", "销量", "SUM(o.quantity)",
				"units", "quantity", "pieces", "items sold", "volume", "销售量", "销售数量", "件数", "数量"),
			money(measure("profit", "Profit", "利润", "SUM(o.amount - o.cost) / 100.0",
				"gross profit", "earnings", "毛利", "毛利润", "盈利")),
			average,
		},
		Dimensions: []querydb.Dimension{
			{
				Name: "region", Label: querydb.Label{En: "region", Zh: "地区"}, SQL: "r.name", From: "regions r",
				Synonyms: []string{"area", "continent", "market", "territory", "区域", "大区", "各地区", "市场", "地域"}, ValueSynonyms: regionValues(),
			},
			{
				Name: "product", Label: querydb.Label{En: "product", Zh: "产品"}, SQL: "p.name", From: "products p",
				Synonyms: []string{"item", "article", "SKU", "商品", "货品", "各产品", "品名"}, ValueSynonyms: productValues(),
			},
			{
				Name: "category", Label: querydb.Label{En: "category", Zh: "类别"}, SQL: "c.name", From: "categories c",
				Synonyms: []string{"categories", "product category", "product line", "品类", "分类", "产品类别", "类目", "产品线"}, ValueSynonyms: categoryValues(),
			},
			{
				Name: "customer", Label: querydb.Label{En: "customer", Zh: "客户"}, SQL: "u.name", From: "customers u",
				Synonyms: []string{"client", "account", "buyer", "company", "companies", "顾客", "买家", "客户名称"},
			},
		},
	}
}

func regionValues() []querydb.Value {
	var all []querydb.Value
	for _, r := range regions {
		all = append(all, value(r.en, r.zh, r.words))
	}
	return all
}

func productValues() []querydb.Value {
	var all []querydb.Value
	for _, p := range products {
		all = append(all, value(p.en, p.zh, p.words))
	}
	return all
}

func categoryValues() []querydb.Value {
	var all []querydb.Value
	for _, c := range categories {
		all = append(all, value(c.en, c.zh, c.words))
	}
	return all
}

func value(en, zh string, words []string) querydb.Value {
	return querydb.Value{Value: en, Label: querydb.Label{En: en, Zh: zh}, Words: words}
}
