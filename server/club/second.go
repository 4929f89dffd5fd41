// SPDX-License-Identifier: Apache-2.0

package club

import (
	"crypto/subtle"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/store"
)

// ErrCode is returned after the right password of a member with a second factor, if the code is missing, wrong, or used already.
var ErrCode = fault.New("code-needed", "the login needs the current code of the member's authenticator app")

// leastSecret is the minimum length of the secret of a second factor, in characters of base32.
const leastSecret = 16

// NewSecond returns a new secret for the member's authenticator app. SetSecond stores it.
//
// CITE: M'Raihi, Machani, Pei and Rydell, TOTP: Time-Based One-Time Password Algorithm, RFC 6238, 2011.
func (c *Club) NewSecond(who Who) (*otp.Key, error) {
	return totp.Generate(totp.GenerateOpts{Issuer: "krow", AccountName: who.Name})
}

// SetSecond stores a secret as the member's second factor: from then on, a login with the password also needs a code. The
// argument code, a current code for the secret, shows that the member's app has the secret. An empty secret removes the second
// factor.
func (c *Club) SetSecond(who Who, secret, code string) error {
	if secret != "" && (len(secret) < leastSecret || !totp.Validate(code, secret)) {
		return ErrCode
	}
	return c.change(who, who.Member, "second factor", func(_ Who, m *store.Member) (string, error) {
		m.Second = secret
		return m.Name, nil
	})
}

// fits reports whether a code of the member's second factor is right and new. A right code belongs to the current period of 30
// seconds, or to the period before or after it. A new code belongs to a later period than each code with which the member has
// logged in.
func (c *Club) fits(m store.Member, code string) bool {
	const period = 30
	code = strings.TrimSpace(code)
	now := time.Now().Unix() / period
	for n := now - 1; n <= now+1; n++ {
		at, err := totp.GenerateCode(m.Second, time.Unix(n*period, 0))
		if err != nil || subtle.ConstantTimeCompare([]byte(at), []byte(code)) == 0 {
			continue
		}
		last, loaded := c.codes.LoadOrStore(m.ID, n)
		return !loaded || last.(int64) < n && c.codes.CompareAndSwap(m.ID, last, n)
	}
	return false
}
