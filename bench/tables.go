package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// EmbeddedTables compiles the made-up records that come with the module: they
// hold both gaits.
func EmbeddedTables() (*dat.Tables, error) { return foldersOf(fixtures.FS) }

// LoadTables compiles the loose records in a folder and in the folders directly
// in it, or those of a container file, or [EmbeddedTables] where neither is named.
func LoadTables(folder, container string) (*dat.Tables, error) {
	switch {
	case container != "":
		file, err := dat.OpenFile(container)
		if err != nil {
			return nil, err
		}
		tables, err := dat.Load(file)
		return tables, errors.Join(err, file.Close())
	case folder != "":
		tables, err := foldersOf(os.DirFS(folder))
		if err != nil {
			return nil, fmt.Errorf("records in folder %s: %w", folder, err)
		}
		return tables, nil
	}
	return EmbeddedTables()
}

func foldersOf(fsys fs.FS) (*dat.Tables, error) {
	sources, err := foldersIn(fsys)
	if err != nil {
		return nil, err
	}
	return dat.Load(sources...)
}

// foldersIn opens a folder and the folders directly in it.
func foldersIn(fsys fs.FS) ([]dat.Source, error) {
	folders := []string{"."}
	list, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	sources := make([]dat.Source, len(folders))
	for i, name := range folders {
		if sources[i], err = dat.OpenFolder(fsys, name); err != nil {
			return nil, err
		}
	}
	return sources, nil
}
