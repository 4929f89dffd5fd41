// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"

	"github.com/krow-lab/krow/server/club"
)

// PushKey is the key with which a browser subscribes to the server's messages.
type PushKey struct {
	Key string `json:"key"`
}

func (s *Server) pushKey(context.Context, *struct{}) (k PushKey, err error) {
	k.Key, err = s.club.PushKey()
	return k, err
}

type subscription struct{ Body club.Subscription }

func (s *Server) subscribe(ctx context.Context, in *subscription) error {
	if !s.o.Club {
		return notAllowed.new()
	}
	return s.club.Subscribe(visitOf(ctx).token, in.Body)
}
