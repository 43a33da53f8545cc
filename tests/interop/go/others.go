package main

import (
	"net/http"

	"github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"
	"github.com/gowebpki/jcs"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// canonicalize returns the canonical form of a JSON text by each library, or its error.
func canonicalize(text string) (answers, error) {
	out := answers{}
	for library, transform := range map[string]func([]byte) ([]byte, error){
		"github.com/gowebpki/jcs":                     jcs.Transform,
		"github.com/cyberphone/json-canonicalization": jsoncanonicalizer.Transform,
	} {
		form, err := transform([]byte(text))
		if err != nil {
			form = []byte("error: " + err.Error())
		}
		out[library] = string(form)
	}
	return out, nil
}

type delivery struct {
	Secret  string
	Body    []byte
	Headers map[string]string
}

func checkWebhook(in delivery) (string, error) {
	webhook, err := standardwebhooks.NewWebhook(in.Secret)
	if err != nil {
		return "", err
	}
	headers := http.Header{}
	for name, value := range in.Headers {
		headers.Set(name, value)
	}
	return said(webhook.Verify(in.Body, headers)), nil
}
