package main

import (
	"math"
	"math/big"
	"strconv"

	inf "gopkg.in/inf.v0"
	"k8s.io/apimachinery/pkg/api/resource"
)

var maxInt64 = big.NewInt(math.MaxInt64)

// answer is what Kubernetes makes of text: its Value() and MilliValue(), or in place of them
//
//	malformed   ParseQuantity refuses text
//	negative    the amount is less than 0. Kubernetes refuses it wherever a pod or a node says it, and its Value()
//	            is of no use: 1 for "-0.1n", -101 for "-0.1Ki", 7172454922 for "-10.5Gi"
//	overflow    rounded up, the amount is beyond int64. Its Value() is the largest int64 for "8Ei", 0 for "1e19",
//	            7766279631452241919 for "99999999999999999999"
func answer(text string) (whole, milli string) {
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return "malformed", "malformed"
	}
	if quantity.Sign() < 0 {
		return "negative", "negative"
	}
	whole = strconv.FormatInt(quantity.Value(), 10)
	milli = strconv.FormatInt(quantity.MilliValue(), 10)

	capped := isCapped(text, quantity)
	exact := quantity.AsDec()
	if capped || isBeyondInt64(exact, 0) {
		whole = "overflow"
	}
	if capped || isBeyondInt64(exact, 3) {
		milli = "overflow"
	}
	return whole, milli
}

// isBeyondInt64 says whether amount, rounded up to so many decimal places, is.
func isBeyondInt64(amount *inf.Dec, places inf.Scale) bool {
	digits := len(amount.UnscaledBig().String())
	if amount.Sign() != 0 && digits-int(amount.Scale()) > 20 { // 10^2147483647 is not to be written out
		return true
	}
	rounded := new(inf.Dec).Round(amount, places, inf.RoundUp)
	return rounded.UnscaledBig().Cmp(maxInt64) > 0
}

// isCapped says whether text asks for more than the quantity has: with a binary suffix ParseQuantity itself takes
// everything beyond int64 for the largest int64.
func isCapped(text string, quantity resource.Quantity) bool {
	if quantity.Format != resource.BinarySI || quantity.Value() != math.MaxInt64 {
		return false
	}
	number, suffix := text[:len(text)-2], text[len(text)-2:]
	unit := resource.MustParse("1" + suffix)
	asked, ok := new(big.Rat).SetString(number)
	if !ok {
		panic("not a number: " + number)
	}
	asked.Mul(asked, new(big.Rat).SetInt64(unit.Value()))
	return asked.Cmp(new(big.Rat).SetInt(maxInt64)) > 0
}
