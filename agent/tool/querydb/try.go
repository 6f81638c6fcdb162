package querydb

// A Tried is what TrySQL says of one statement.
type Tried struct {
	Allowed bool   `json:"allowed"`
	Why     string `json:"why"`
}

// TrySQL is Judge in the form of `hermes try sql`.
func TrySQL(sql, dialect string) Tried {
	allowed, why := Judge(sql, dialect)
	return Tried{Allowed: allowed, Why: why}
}
