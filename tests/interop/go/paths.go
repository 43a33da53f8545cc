package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/gowebpki/jcs"
)

// digest is the form of every hash in docs/formats/dpu-chain-v1.md, from which this file was written.
func digest(text []byte) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text))
}

func canonical(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return jcs.Transform(text)
}

func digestOf(value any) (string, error) {
	text, err := canonical(value)
	return digest(text), err
}

type recorded struct {
	ActionSalt string
	Event      map[string]json.RawMessage
	Digested   []string
}

// digestAction computes the actionDigest of an event.
func digestAction(in recorded) (string, error) {
	hashed := map[string]any{"salt": in.ActionSalt}
	for _, name := range in.Digested {
		if value, ok := in.Event[name]; ok {
			hashed[name] = value
		}
	}
	return digestOf(hashed)
}

type entry struct {
	Hash, SealedAt string
	PreviousHash   *string
	Content        json.RawMessage
	Values         map[string]json.RawMessage
	Salts          map[string]string
}

type content struct {
	Domain, Type, State, EvidenceLevel string
	Previous                           *string
	Commitments                        map[string]string
}

// open recomputes the hash of an entry and every commitment, and returns its content.
func (e entry) open() (content, error) {
	var read content
	if err := json.Unmarshal(e.Content, &read); err != nil {
		return read, err
	}
	preimage, err := canonical(e.Content)
	if err != nil {
		return read, err
	}
	if e.PreviousHash != nil {
		preimage = append(preimage, *e.PreviousHash...)
	}
	if found := digest(append(preimage, e.SealedAt...)); found != e.Hash {
		return read, fmt.Errorf("an entry has the hash %s", found)
	}
	for path, value := range e.Values {
		made, err := digestOf([]any{e.Salts[path], path, value})
		if err != nil {
			return read, err
		}
		if made != read.Commitments[path] {
			return read, fmt.Errorf("the value at %s is not the committed one", path)
		}
	}
	return read, nil
}

func (e entry) level() (level string, err error) {
	err = json.Unmarshal(e.Values["evidenceLevel"], &level)
	return level, err
}

type changedRecord struct {
	// Unit is absent for a policy, which its first entry creates.
	Unit    *entry
	Changes []entry
}

type unitState struct {
	EvidenceLevel string  `json:"evidenceLevel"`
	Metadata      *string `json:"metadata"`
}

// checkPath returns null when the path holds, else the first entry that does not fit and the member that shows it.
func checkPath(in changedRecord) (*string, error) {
	var previous *string
	var state unitState
	if in.Unit != nil {
		unit, err := in.Unit.open()
		if err != nil {
			return nil, err
		}
		previous = &in.Unit.Hash
		state.EvidenceLevel = unit.EvidenceLevel
		if unit.Domain == "dpu" {
			if state.EvidenceLevel, err = in.Unit.level(); err != nil {
				return nil, err
			}
		}
		if metadata, ok := unit.Commitments["metadata"]; ok {
			state.Metadata = &metadata
		}
	}
	for position, change := range in.Changes {
		read, err := change.open()
		if err != nil {
			return nil, err
		}
		misfit := func(member string) (*string, error) {
			found := fmt.Sprintf("%d.%s", position, member)
			return &found, nil
		}
		if (previous == nil) != (read.Previous == nil) || (previous != nil && *previous != *read.Previous) {
			return misfit("previous")
		}
		previous = &in.Changes[position].Hash
		var left any = &state
		switch read.Type {
		case "level":
			if state.EvidenceLevel, err = change.level(); err != nil {
				return nil, err
			}
		case "metadata":
			metadata := read.Commitments["metadata"]
			state.Metadata = &metadata
		case "policy":
			left = map[string]string{"policy": read.Commitments["policy"]}
		}
		expected, err := digestOf(left)
		if err != nil {
			return nil, err
		}
		if expected != read.State {
			return misfit("state")
		}
	}
	return nil, nil
}
