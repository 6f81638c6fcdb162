package memory

import (
	"context"
	"math"
	"math/bits"
	"strings"
)

// An Embedder turns texts into vectors whose angles say how much alike they are.
type Embedder interface {
	// Name stands beside each vector that is kept: those of another Name are
	// made anew.
	Name() string
	// Embed returns a vector of Dim numbers or fewer for each text, of any length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Dim is how many numbers of a vector are kept. A model's longer ones are folded.
const Dim = 256

// A Vector is a text as whole numbers, its length 127 or nothing.
type Vector [Dim]int8

// A sketch is what is compared of all vectors of a scope before the few best are
// compared in full: the signs of a Vector that was turned by a fixed turn, since
// most numbers of a short text's are nought and have no sign.
type sketch [Dim / 64]uint64

// Hashing is the Embedder that needs no model: stems, what they mean, and runs of
// letters, each weighed by how little it says by itself, hashed to numbers. It finds
// what is spelled otherwise, bent or compounded, and common synonyms.
type Hashing struct{}

// Name implements Embedder.
func (Hashing) Name() string { return "hashing-1" }

// Embed implements Embedder.
func (h Hashing) Embed(_ context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i, t := range texts {
		v := h.of(terms(t), nil)
		all[i] = v[:]
	}
	return all, nil
}

// The weights of the parts of a word: as a whole, as what it means, and a run of its
// letters.
const (
	wholeShare = 1.0
	senseShare = 0.8
	gramShare  = 0.25
)

// of is the vector of terms. Of a question it is known what each is worth where it is
// asked, from 0 to 1: a name that stands in every line says nothing.
func (Hashing) of(stems []string, worth func(string) float64) [Dim]float32 {
	counts := make(map[string]int, len(stems))
	for _, t := range stems {
		counts[t]++
	}
	var v [Dim]float32
	add := func(s string, kind uint32, w float64) {
		h := hash(s) ^ kind
		h *= 0x85ebca6b
		h ^= h >> 13
		if h&0x80000000 != 0 {
			w = -w
		}
		v[h%Dim] += float32(w)
	}
	for t, n := range counts {
		w := (1 + math.Log(float64(n))) * plainWeight(t)
		if worth != nil {
			w *= worth(t)
		}
		add(t, 1, w*wholeShare)
		if s := senseOf[t]; s != "" {
			add(s, 2, w*senseShare)
		}
		if !ascii(t) || len(t) < 4 {
			continue
		}
		s := "^" + t + "$"
		share := w * gramShare
		for i := 0; i+3 <= len(s); i++ {
			add(s[i:i+3], 3, share)
		}
	}
	return v
}

// plainWeight is what a term says without knowing how many others have it: long words
// are rare.
func plainWeight(t string) float64 {
	if common[t] {
		return commonness
	}
	if !ascii(t) {
		return 1
	}
	return min(1.6, 0.5+0.15*float64(len(t)))
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// vectorOf makes a Vector of a model's numbers.
func vectorOf(f []float32) Vector {
	var folded [Dim]float32
	for i, x := range f {
		folded[i%Dim] += x
	}
	var square float64
	for _, x := range folded {
		square += float64(x) * float64(x)
	}
	var v Vector
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
		return v
	}
	scale := 127 / math.Sqrt(square)
	for i, x := range folded {
		v[i] = int8(math.Round(float64(x) * scale))
	}
	return v
}

// cosine says how much alike two vectors are, from -1 to 1.
func (v *Vector) cosine(w *Vector) float64 {
	var dot, a, b int
	for i, x := range v {
		y := w[i]
		dot += int(x) * int(y)
		a += int(x) * int(x)
		b += int(y) * int(y)
	}
	if a == 0 || b == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(a)*float64(b))
}

// sketch returns the signs of v once it is turned: by signs of its own for each
// number, then by the fast Walsh-Hadamard transform, which mixes each with all.
func (v *Vector) sketch() sketch {
	var x [Dim]int32
	state := uint32(0x9e3779b9)
	any := false
	for i, n := range v {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		x[i] = int32(n)
		if state&1 != 0 {
			x[i] = -x[i]
		}
		any = any || n != 0
	}
	var s sketch
	if !any {
		return s
	}
	for h := 1; h < Dim; h *= 2 {
		for i := 0; i < Dim; i += 2 * h {
			for j := i; j < i+h; j++ {
				x[j], x[j+h] = x[j]+x[j+h], x[j]-x[j+h]
			}
		}
	}
	for i, n := range x {
		if n > 0 {
			s[i/64] |= 1 << (i % 64)
		}
	}
	return s
}

// apart counts the signs in which two sketches differ.
func (s *sketch) apart(t *sketch) int {
	return bits.OnesCount64(s[0]^t[0]) + bits.OnesCount64(s[1]^t[1]) + bits.OnesCount64(s[2]^t[2]) + bits.OnesCount64(s[3]^t[3])
}

// alike is the cosine that so many different signs of Dim mean.
var alike = func() (c [Dim + 1]float32) {
	for i := range c {
		c[i] = float32(math.Cos(math.Pi * float64(i) / Dim))
	}
	return c
}()

// senses are words that people use for one thing, in both languages: the first names
// it. They are few, of everyday and of work, and only add likeness.
const senses = `
job work career profession occupation employ employer position role 工作 职业 岗位
home house apartment flat residence dwelling 房子 住处 公寓
live reside dwell move relocate settle 居住 搬家
child kid son daughter baby toddler 孩子 小孩 儿子 女儿
spouse husband wife partner married marry wedding 丈夫 妻子 结婚
friend buddy pal mate 朋友
doctor physician clinic hospital medical 医生 医院
ill sick illness disease unwell fever 生病 疾病
car vehicle automobile drive 汽车 开车
trip travel journey vacation holiday visit tour 旅行 旅游 度假
buy purchase acquire order shop 购买 采购
sell sale revenue turnover 销售 营收
money cash fund budget cost price expense pay 费用 预算 价格 成本
begin start commence launch kickoff 开始 启动
end finish complete conclude 结束 完成
meeting meet call sync standup appointment 会议 例会 开会
deadline due date schedule 截止 期限
boss manager supervisor lead head chief 经理 主管 老板 上级
company firm business organization employer 公司 企业
customer client buyer account 客户 顾客
deploy release ship rollout deployment 部署 发布 上线
bug issue defect error fault problem incident outage 故障 问题 错误
fix repair resolve solve mend 修复 解决
database db postgr mysql sqlit 数据库
server host machine node 服务器 主机
food meal dish cuisine eat dinner lunch breakfast 食物 吃饭 晚餐
drink beverage coffee tea 饮料 咖啡
sport exercise workout gym run train fitness 运动 健身 锻炼
book novel read author literature 书籍 小说 阅读
movie film cinema 电影
music song concert band instrument play 音乐 歌曲
paint art draw artwork picture sketch canvas 绘画 画画
dog puppy pet cat kitten animal 宠物
hobby interest pastime enjoy like love passion 爱好 兴趣 喜欢
hate dislike avoid 讨厌 不喜欢
happy glad pleased joy excited thrilled 高兴 开心
sad upset unhappy down 难过
afraid scared fear worry worried anxious nervous 害怕 担心
learn study course class lesson school 学习 课程
teach teacher instructor coach tutor 老师 教练
university college degree graduate 大学 毕业
city town village place location where 城市 地点
phone mobile telephone cell 电话 手机
mail email e-mail message 邮件
big large huge 大型
small little tiny 小型
quick fast rapid speed 快速
decide choose pick select decision choice 决定 选择
plan intend intention aim goal target 计划 目标
present gift surprise 礼物
birthday anniversary celebrate party 生日 庆祝
mother mom parent father dad family 妈妈 爸爸 家人
brother sister sibling 兄弟 姐妹
age old year born 年龄
country nation 国家
allergy allergic intolerant 过敏
colour color 颜色
report summary document 报告 报表
`

// senseOf is the thing that a term is a word for.
var senseOf = func() map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(senses), "\n") {
		words := strings.Fields(line)
		for _, w := range words {
			for _, t := range terms(w) {
				if m[t] == "" {
					m[t] = words[0]
				}
			}
		}
	}
	return m
}()
