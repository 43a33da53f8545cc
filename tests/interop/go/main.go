// Command interop runs other people's libraries over our formats. It reads a JSON list of cases from standard input and
// writes a JSON list of results in the same order.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// answers maps the import path of a library to what it found: "ok", or its error.
type answers map[string]string

func said(err error) string {
	if err != nil {
		return err.Error()
	}
	return "ok"
}

func each[In, Out any](answer func(In) (Out, error)) error {
	var cases []In
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		return err
	}
	results := make([]Out, len(cases))
	for i, one := range cases {
		result, err := answer(one)
		if err != nil {
			return fmt.Errorf("case %d: %w", i, err)
		}
		results[i] = result
	}
	return json.NewEncoder(os.Stdout).Encode(results)
}

var commands = map[string]func() error{
	"action-digest": func() error { return each(digestAction) },
	"canonical":     func() error { return each(canonicalize) },
	"checkpoint":    func() error { return each(readCheckpoint) },
	"consistency":   func() error { return each(checkConsistency) },
	"inclusion":     func() error { return each(checkInclusion) },
	"log":           func() error { return each(writeLog) },
	"log-key":       func() error { return each(nameKey) },
	"path":          func() error { return each(checkPath) },
	"tlog-proof":    func() error { return each(checkTlogProof) },
	"webhook":       func() error { return each(checkWebhook) },
}

func main() {
	if len(os.Args) != 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "interop needs the name of one command.")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
