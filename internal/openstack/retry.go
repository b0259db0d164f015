// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gophercloud/gophercloud/v2"
)

const (
	throttledTries = 6 // of a call that was answered with 429
	readTries      = 4 // of a read without a good answer
	longestPause   = 30 * time.Second
)

// retry sets the client up to try again what can do no harm. A call that was
// answered with 429 had no effect, so that it is sent again after the time that
// the answer asks for. One without an answer, or with a 5xx, may have had one:
// only reads are sent again. What becomes of a write is found out from facts.
func retry(p *gophercloud.ProviderClient) {
	p.MaxBackoffRetries = throttledTries
	p.RetryBackoffFunc = func(ctx context.Context, answer *gophercloud.ErrUnexpectedResponseCode, err error, failed uint) error {
		after := pause(failed)
		if s, aerr := strconv.Atoi(answer.ResponseHeader.Get("Retry-After")); aerr == nil && s >= 0 {
			after = time.Duration(s) * time.Second
		}
		return wait(ctx, min(after, longestPause), err)
	}
	p.RetryFunc = func(ctx context.Context, method, _ string, _ *gophercloud.RequestOpts, err error, failed uint) error {
		if method != http.MethodGet || failed >= readTries-1 || !transient(err) {
			return err
		}
		return wait(ctx, pause(failed), err)
	}
}

// pause is 200 ms and twice as long after each failure.
func pause(failed uint) time.Duration {
	return min(200*time.Millisecond<<min(failed, 10), longestPause)
}

// wait returns nil after the pause, and err if ctx ends before.
func wait(ctx context.Context, d time.Duration, err error) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return errors.Join(err, ctx.Err())
	}
}

// transient says that the same read may well succeed a moment later.
func transient(err error) bool {
	switch code := statusOf(err); {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrGuarded):
		return false
	case code == 0, code == http.StatusInternalServerError, code == http.StatusBadGateway,
		code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return true
	}
	return false
}
