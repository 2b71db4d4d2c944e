package bench

import (
	"io/fs"
	"os"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// EmbeddedTables compiles the made-up records that come with the module: they
// hold both gaits.
func EmbeddedTables() (*dat.Tables, error) { return foldersOf(fixtures.FS) }

// FolderTables compiles the loose records in a folder and in the folders
// directly in it.
func FolderTables(dir string) (*dat.Tables, error) { return foldersOf(os.DirFS(dir)) }

func foldersOf(fsys fs.FS) (*dat.Tables, error) {
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
	return dat.Load(sources...)
}
