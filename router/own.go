package router

import _ "embed"

// OwnLines is the grammar of the lines that were written to train the classifier with;
// the package train reads it.
//
//go:embed testdata/grammar.txt
var OwnLines string
