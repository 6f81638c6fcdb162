package bot

// For tests of what people read.
var Settled = settled
