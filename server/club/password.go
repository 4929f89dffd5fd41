// SPDX-License-Identifier: Apache-2.0

package club

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/krow-lab/krow/internal/fault"
)

// cost contains the parameters that determine the memory and the time for computing a password hash.
//
// CITE: Biryukov, Dinu, Khovratovich and Josefsson, Argon2, RFC 9106, 2021; OWASP, Password Storage Cheat Sheet.
type cost struct {
	memory uint32 // memory in KiB
	passes uint32
}

var usual = cost{memory: 19 << 10, passes: 2}

const (
	shortest, longest = 10, 200 // minimum and maximum length of a password, in characters
	saltBytes         = 16
	hashBytes         = 32
)

// CheckPassword returns an error if a new password of a person is too weak.
func CheckPassword(password, name string) error {
	n := utf8.RuneCountInString(password)
	switch {
	case n < shortest:
		return fault.Errorf("%w: it needs at least %d characters", ErrPassword, shortest)
	case n > longest:
		return fault.Errorf("%w: it has more than %d characters", ErrPassword, longest)
	case strings.Contains(strings.ToLower(password), strings.ToLower(name)):
		return fault.Errorf("%w: it contains the name", ErrPassword)
	case strings.Count(password, password[:1]) == len(password):
		return fault.Errorf("%w: it repeats one character", ErrPassword)
	}
	return nil
}

// hash returns the text that is stored in place of a password:
//
//	$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH
func (k cost) hash(password string) string {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	sum := argon2.IDKey([]byte(password), salt, k.passes, k.memory, 1, hashBytes)
	code := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, k.memory, k.passes, code(salt), code(sum))
}

// same reports whether a stored text is the hash of a password. If stored is not a valid hash, same also computes a hash, so
// that the time does not reveal this.
func (k cost) same(stored, password string) bool {
	var version int
	var salt, sum string
	real := k
	n, _ := fmt.Sscanf(strings.ReplaceAll(stored, "$", " "), " argon2id v=%d m=%d,t=%d,p=1 %s %s", &version, &real.memory, &real.passes, &salt, &sum)
	if n != 5 {
		k.hash(password)
		return false
	}
	rawSalt, err1 := base64.RawStdEncoding.DecodeString(salt)
	want, err2 := base64.RawStdEncoding.DecodeString(sum)
	got := argon2.IDKey([]byte(password), rawSalt, real.passes, real.memory, 1, hashBytes)
	return err1 == nil && err2 == nil && subtle.ConstantTimeCompare(got, want) == 1
}

// secret returns a random token, and the hash that is stored in place of the token.
func secret() (token string, hash []byte) {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, digest(token)
}

func digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
