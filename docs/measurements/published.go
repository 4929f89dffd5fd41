// SPDX-License-Identifier: Apache-2.0

package measurements

import (
	"fmt"
	"strings"
)

// Published returns the author and the year of the first publication of the value, as far as we know, or nothing.
//
// CITE: Allis, A Knowledge-Based Approach of Connect-Four, 1988; Allen published the same value in that year.
// CITE: Tromp, John's Connect Four Playground (table of sizes with up to 15 columns and rows together), 2006.
// CITE: Berlekamp, Conway and Guy, Winning Ways, 1982, for 5,5,4, which C. Y. Lee solved.
// CITE: Uiterwijk and van den Herik, The advantage of the initiative, 2000 (6,5,4).
// CITE: Charatsidis, bachelor's thesis, Maastricht University, 2017 (boards of four rows).
// CITE: Hsu, Ko, Chen, Wei, Hsueh and Wu, On solving the 7,7,5-game and the 8,8,5-game, 2020.
// CITE: Hales and Jewett, Regularity and Positional Games, 1963 (n,n,n for n above 4).
// CITE: Allis, van den Herik and Huntjens, Go-Moku and Threat-Space Search, 1993 (15x15, five or more, and exactly five).
// CITE: Bertholon, Géraud-Stewart, Kugelmann, Lenoir and Naccache, At Most 43 Moves, At Least 29, 2020 (won=open).
// CITE: van der Werf, Uiterwijk and van den Herik, Solving Ponnuki-Go on Small Boards, 2002 (Atari-Go up to 5x5).
func (v Value) Published() string {
	if size, ok := strings.CutPrefix(v.Game, "connect4"); ok {
		return connectFour(size)
	}
	if v.Game == "gomoku" || v.Game == "standard" {
		return "Allis and others 1993"
	}
	if strings.HasPrefix(v.Game, "ultimate:") && strings.HasSuffix(v.Game, "won=open") {
		return "Bertholon and others 2020"
	}
	if strings.HasPrefix(v.Game, "atarigo") {
		return "van der Werf and others 2002"
	}
	var m, n, k int
	if _, err := fmt.Sscanf(v.Game, "mnk:%d,%d,%d", &m, &n, &k); err != nil {
		return ""
	}
	switch {
	case m == n && n == k && k > 4:
		return "Hales and Jewett 1963"
	case m == 5 && n == 5 && k == 4:
		return "Lee, in Winning Ways 1982"
	case m == 6 && n == 5 && k == 4:
		return "Uiterwijk and van den Herik 2000"
	case m >= 4 && m <= 10 && n == 4 && k == 4:
		return "Charatsidis 2017"
	case m == n && k == 5 && (m == 7 || m == 8):
		return "Hsu and others 2020"
	}
	return ""
}

func connectFour(size string) string {
	w, h := 7, 6
	if size != "" {
		if _, err := fmt.Sscanf(size, ":%dx%d", &w, &h); err != nil {
			return ""
		}
	}
	switch {
	case w == 7 && h == 6:
		return "Allen 1988, Allis 1988"
	case w >= 4 && h >= 4 && w+h <= 15:
		return "Tromp 2006"
	}
	return ""
}
