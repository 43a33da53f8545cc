package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"strings"

	"filippo.io/torchwood"
	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type logPlan struct {
	Origin  string
	Entries [][]byte
	Index   int64
}

type writtenLog struct {
	LogKey      string   `json:"logKey"`
	WitnessKeys []string `json:"witnessKeys"`
	Checkpoint  string   `json:"checkpoint"`
	TlogProof   string   `json:"tlogProof"`
}

type storedHashes []tlog.Hash

func (stored storedHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		found[i] = stored[index]
	}
	return found, nil
}

// writeLog builds, signs and cosigns a log without our code, and proves one of its entries.
func writeLog(in logPlan) (writtenLog, error) {
	var out writtenLog
	var stored storedHashes
	for i, entry := range in.Entries {
		hashes, err := tlog.StoredHashes(int64(i), entry, stored)
		if err != nil {
			return out, err
		}
		stored = append(stored, hashes...)
	}
	size := int64(len(in.Entries))
	root, err := tlog.TreeHash(size, stored)
	if err != nil {
		return out, err
	}
	signers, err := newSigners(in.Origin, &out)
	if err != nil {
		return out, err
	}
	checkpoint := torchwood.Checkpoint{Origin: in.Origin, Tree: tlog.Tree{N: size, Hash: root}}
	signed, err := note.Sign(&note.Note{Text: checkpoint.String()}, signers...)
	if err != nil {
		return out, err
	}
	record, err := tlog.ProveRecord(size, in.Index, stored)
	if err != nil {
		return out, err
	}
	out.Checkpoint = string(signed)
	out.TlogProof = string(torchwood.FormatProof(in.Index, record, signed))
	return out, nil
}

// newSigners makes three keys: of the log, of a witness by torchwood, and of a witness by formats.
func newSigners(origin string, out *writtenLog) ([]note.Signer, error) {
	secret, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, err
	}
	byLog, err := note.NewSigner(secret)
	if err != nil {
		return nil, err
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	byTorchwood, err := torchwood.NewCosignatureSigner("torchwood.test/w1", key)
	if err != nil {
		return nil, err
	}
	secret, plain, err := note.GenerateKey(rand.Reader, "formats.test/w2")
	if err != nil {
		return nil, err
	}
	byFormats, err := formats.NewSignerForCosignatureV1(secret)
	if err != nil {
		return nil, err
	}
	cosigning, err := formats.VKeyToCosignatureV1(plain)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(cosigning, byFormats.Name()+"+") {
		return nil, fmt.Errorf("the key %s has another name than its signer", cosigning)
	}
	out.LogKey = public
	out.WitnessKeys = []string{byTorchwood.Verifier().String(), cosigning}
	return []note.Signer{byLog, byTorchwood, byFormats}, nil
}
