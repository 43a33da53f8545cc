package main

import (
	"filippo.io/torchwood"
	formats "github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Index, Size uint64
	// Entry is the chain hash of the entry.
	Entry, Root []byte
	Proof       [][]byte
}

func checkInclusion(in inclusion) (string, error) {
	hasher := rfc6962.DefaultHasher
	return said(proof.VerifyInclusion(hasher, in.Index, in.Size, hasher.HashLeaf(in.Entry), in.Proof, in.Root)), nil
}

type consistency struct {
	From, To         uint64
	OldRoot, NewRoot []byte
	Proof            [][]byte
}

func checkConsistency(in consistency) (string, error) {
	return said(proof.VerifyConsistency(rfc6962.DefaultHasher, in.From, in.To, in.Proof, in.OldRoot, in.NewRoot)), nil
}

type portableProof struct {
	Text  string
	Entry []byte
	whomToTrust
}

func checkTlogProof(in portableProof) (answers, error) {
	return answers{
		"filippo.io/torchwood":                said(checkWithTorchwood(in)),
		"github.com/transparency-dev/formats": said(checkWithFormats(in)),
	}, nil
}

func checkWithTorchwood(in portableProof) error {
	policy, err := torchwood.ParsePolicy([]byte(in.Policy))
	if err != nil {
		return err
	}
	return torchwood.VerifyProof(policy, tlog.RecordHash(in.Entry), []byte(in.Text))
}

func checkWithFormats(in portableProof) error {
	var read formats.TLogProof
	if err := read.Unmarshal([]byte(in.Text)); err != nil {
		return err
	}
	checkpoint, err := readWithFormats(signedNote{string(read.Checkpoint), in.whomToTrust})
	if err != nil {
		return err
	}
	var hashes [][]byte
	for _, hash := range read.Hashes {
		hashes = append(hashes, hash[:])
	}
	hasher := rfc6962.DefaultHasher
	return proof.VerifyInclusion(hasher, read.Index, checkpoint.Size, hasher.HashLeaf(in.Entry), hashes, checkpoint.Root)
}
