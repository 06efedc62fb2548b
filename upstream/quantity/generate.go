package main

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
)

// generate calls use with count different strings. Up to half of them are all strings of up to five of a few
// characters, the shorter first; the rest are made from seed, close to where ParseQuantity decides.
func generate(count int, seed uint64, use func(string)) {
	seen := make(map[string]bool, count)
	take := func(text string) {
		if !seen[text] && isAffordable(text) {
			seen[text] = true
			use(text)
		}
	}
	everyShort("01.+-eEiKPn9", 5, count/2, take)
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	for len(seen) < count {
		take(g.text())
	}
}

// everyShort makes all strings over alphabet of up to length, at most count of them.
func everyShort(alphabet string, length, count int, use func(string)) {
	queue := []string{""}
	for i := 0; i < len(queue) && i < count; i++ {
		use(queue[i])
		if len(queue[i]) == length {
			continue
		}
		for _, c := range alphabet {
			queue = append(queue, queue[i]+string(c))
		}
	}
}

// isAffordable says whether Kubernetes comes to an end with text: where it needs the exact amount, it writes the
// power of ten out.
func isAffordable(text string) bool {
	at := strings.LastIndexAny(text, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.ParseInt(text[at+1:], 10, 64)
	if err != nil {
		return true
	}
	number := text[:at]
	places := 0
	if point := strings.IndexByte(number, '.'); point >= 0 {
		places = len(number) - point - 1
	}
	low := int32(exponent) - int32(places) // which may come out above 0, as it does in Kubernetes
	exact := len(number) > 18 || !strings.ContainsAny(number, "123456789")
	return -5000 < low && (low < 5000 || !exact)
}

type generator struct{ random *rand.Rand }

func (g generator) below(n int) int                { return g.random.IntN(n) }
func (g generator) one(choices ...string) string   { return choices[g.below(len(choices))] }
func (g generator) some(part string, n int) string { return strings.Repeat(part, g.below(n+1)) }

func (g generator) text() string {
	var text string
	if g.below(2) == 0 {
		text = g.sign() + g.whole() + g.fraction() + g.suffix()
	} else {
		text = g.nextToAnInteger()
	}
	if g.below(4) == 0 {
		for range 1 + g.below(3) {
			text = g.mutated(text)
		}
	}
	return text
}

func (g generator) sign() string {
	return g.one("", "", "", "", "", "", "+", "+", "-", "-", "--", "+-")
}

func (g generator) digits(n int) string {
	var digits strings.Builder
	for range n {
		digits.WriteByte("0123456789"[g.below(10)])
	}
	return digits.String()
}

func (g generator) whole() string {
	switch g.below(6) {
	case 0:
		return g.some("0", 3)
	case 1:
		return g.some("9", 20)
	case 2:
		return g.digits(1+g.below(4)) + g.some("0", 18)
	case 3:
		return g.some("0", 20) + g.digits(g.below(20))
	case 4:
		return g.digits(1 + g.below(40))
	default:
		return g.digits(1 + g.below(3))
	}
}

func (g generator) fraction() string {
	switch g.below(6) {
	case 0, 1:
		return ""
	case 2:
		return "."
	case 3:
		return "." + g.digits(g.below(40))
	case 4:
		return "." + g.some("9", 20)
	default:
		return "." + g.some("0", 30) + g.digits(g.below(4)) + g.some("0", 10)
	}
}

func (g generator) suffix() string {
	switch g.below(8) {
	case 0, 1, 2:
		return g.one("", "n", "u", "m", "k", "M", "G", "T", "P", "E")
	case 3, 4:
		return g.one("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
	case 5, 6:
		return g.one("e", "E") + g.exponent()
	default:
		return g.one("KI", "ki", "mi", "K", "N", "U", "g", "t", "p", "i", "ni", "ui", "Kii", "KiB", "KMi", "eE", "Ee3", "mm",
			"e", "e+", "E-", "e3Ki", "Ei3", "E3i", "Ki3", "+3", "-3", "m1", "e3.5", "e+-3", ".5", " ", " Ki", "Zi", "Y", "B")
	}
}

func (g generator) exponent() string {
	zeros := g.some("0", 2)
	near := func(middle int64, reach int) string {
		return strconv.FormatInt(middle+int64(g.below(2*reach+1)-reach), 10)
	}
	switch g.below(8) {
	case 0:
		return g.one("", "+", "-") + zeros + strconv.Itoa(g.below(400))
	case 1: // Kubernetes keeps 32 bits of an exponent
		return near(int64(1+g.below(3))<<32, 25)
	case 2:
		return near(-int64(1+g.below(3))<<32, 25)
	case 3:
		return "9223372036854775" + strconv.Itoa(790+g.below(30))
	case 4:
		return near(1<<31, 25)
	default:
		return g.one("", "+", "-") + zeros + strconv.Itoa(g.below(25))
	}
}

// nextToAnInteger is an amount at, just below or just above an integer (in the unit or in milli), written exactly.
func (g generator) nextToAnInteger() string {
	integer := new(big.Int).SetInt64(int64(g.below(2000)))
	if g.below(2) == 0 {
		integer.Add(maxInt64, big.NewInt(int64(g.below(5)-2)))
	}
	amount := new(big.Rat).SetInt(integer)
	if g.below(2) == 0 {
		amount.Quo(amount, big.NewRat(1000, 1))
	}
	tiny := new(big.Rat).SetFrac(big.NewInt(int64(g.below(3)-1)), power(10, g.below(30)))
	amount.Add(amount, tiny)

	suffix := ""
	if i := g.below(7); g.below(2) == 0 && i > 0 {
		suffix = "_KMGTPE"[i:i+1] + "i"
		amount.Quo(amount, new(big.Rat).SetInt(power(1024, i)))
	} else if i = g.below(10); g.below(2) == 0 {
		suffix = []string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}[i]
		amount.Quo(amount, new(big.Rat).SetInt(power(1000, i)))
		amount.Mul(amount, new(big.Rat).SetInt(power(1000, 3)))
	} else {
		i = g.below(40)
		suffix = g.one("e", "E") + strconv.Itoa(i-20)
		amount.Quo(amount, new(big.Rat).SetInt(power(10, i)))
		amount.Mul(amount, new(big.Rat).SetInt(power(10, 20)))
	}
	number := amount.FloatString(130) // at most 60 places of 1024^6, 3 of milli, 29 of tiny
	return number[:len(strings.TrimRight(number, "0"))] + g.some("0", 3) + suffix
}

func power(base, exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(exponent)), nil)
}

// mutated puts something into text, or takes a byte out of it, or both.
func (g generator) mutated(text string) string {
	from := g.below(len(text) + 1)
	to := min(from+g.below(2), len(text))
	return text[:from] + g.one("", "", "0", "1", "9", ".", "+", "-", "e", "E", "i", "n", "u", "m", "k", "K", "M", "G", "T",
		"P", " ", "\t", "\n", "\x00", "\x7f", "\xff", "_", ",", "%", "#", "x", "µ", "٣", "\u212a", "３", "−", "\u00a0") + text[to:]
}
