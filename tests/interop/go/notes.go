package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"

	"filippo.io/torchwood"
	"github.com/transparency-dev/formats/log"
	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
)

type namedKey struct {
	// HostKey is the verifier key that the host publishes, and Origin the name of one of its logs.
	HostKey, Origin string
}

// nameKey returns the verifier key of a log, from the public key of its host.
func nameKey(in namedKey) (string, error) {
	if _, err := note.NewVerifier(in.HostKey); err != nil {
		return "", err
	}
	// Base64 may contain a plus.
	key, err := base64.StdEncoding.DecodeString(strings.SplitN(in.HostKey, "+", 3)[2])
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(in.Origin, ed25519.PublicKey(key[1:]))
}

type signedNote struct {
	Note string
	whomToTrust
}

// whomToTrust says the same twice: torchwood reads policy files, the other libraries take keys.
type whomToTrust struct {
	Policy, LogKey string
	WitnessKeys    []string
}

type reading struct {
	Error   string   `json:"error,omitempty"`
	Origin  string   `json:"origin,omitempty"`
	Size    uint64   `json:"size,omitempty"`
	Root    []byte   `json:"root,omitempty"`
	Signers []string `json:"signers,omitempty"`
}

// readCheckpoint reads a note with three libraries. The first one knows notes, and neither checkpoints nor cosignatures.
func readCheckpoint(in signedNote) (map[string]reading, error) {
	out := map[string]reading{}
	for library, read := range map[string]func(signedNote) (reading, error){
		"golang.org/x/mod/sumdb/note":         readWithSumdb,
		"github.com/transparency-dev/formats": readWithFormats,
		"filippo.io/torchwood":                readWithTorchwood,
	} {
		found, err := read(in)
		if err != nil {
			found = reading{Error: err.Error()}
		}
		out[library] = found
	}
	return out, nil
}

func readWithSumdb(in signedNote) (reading, error) {
	verifier, err := note.NewVerifier(in.LogKey)
	if err != nil {
		return reading{}, err
	}
	n, err := note.Open([]byte(in.Note), note.VerifierList(verifier))
	if err != nil {
		return reading{}, err
	}
	return reading{Signers: names(n)}, nil
}

func readWithFormats(in signedNote) (reading, error) {
	verifier, err := formats.NewVerifier(in.LogKey)
	if err != nil {
		return reading{}, err
	}
	var witnesses []note.Verifier
	for _, key := range in.WitnessKeys {
		witness, err := formats.NewVerifierForCosignatureV1(key)
		if err != nil {
			return reading{}, err
		}
		witnesses = append(witnesses, witness)
	}
	checkpoint, rest, n, err := log.ParseCheckpoint([]byte(in.Note), verifier.Name(), verifier, witnesses...)
	if err != nil {
		return reading{}, err
	}
	if len(rest) > 0 {
		return reading{}, errors.New("the checkpoint has extension lines")
	}
	return reading{Origin: checkpoint.Origin, Size: checkpoint.Size, Root: checkpoint.Hash, Signers: names(n)}, nil
}

func readWithTorchwood(in signedNote) (reading, error) {
	policy, err := torchwood.ParsePolicy([]byte(in.Policy))
	if err != nil {
		return reading{}, err
	}
	checkpoint, n, err := torchwood.VerifyCheckpoint([]byte(in.Note), policy)
	if err != nil {
		return reading{}, err
	}
	return reading{
		Origin: checkpoint.Origin, Size: uint64(checkpoint.N), Root: checkpoint.Hash[:], Signers: names(n),
	}, nil
}

func names(n *note.Note) []string {
	var found []string
	for _, signature := range n.Sigs {
		found = append(found, signature.Name)
	}
	return found
}
