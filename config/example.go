package config

import _ "embed"

// Example is a whole file with every key and its default. Load reads it.
//
//go:embed example.yaml
var Example string
