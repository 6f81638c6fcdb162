// Package sqlite3 stands in for github.com/mattn/go-sqlite3. gorm.io/driver/sqlite
// imports that package for its side effect alone; we hand GORM a connection of
// modernc.org/sqlite instead. Nothing lives here: the point of the stand-in is
// that no C is compiled where a C compiler happens to be present.
package sqlite3
