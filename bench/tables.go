package bench

import (
	"errors"
	"fmt"
	"os"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// EmbeddedTables compiles the made-up records that come with the module: they
// hold both gaits.
func EmbeddedTables() (*dat.Tables, error) { return dat.LoadFolders(fixtures.FS) }

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
		tables, err := dat.LoadFolders(os.DirFS(folder))
		if err != nil {
			return nil, fmt.Errorf("records in folder %s: %w", folder, err)
		}
		return tables, nil
	}
	return EmbeddedTables()
}
