package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program as it stands; it takes its second.
func Example() {
	main()
}

// TestTwentyLines: who embeds an engine needs no more than that, and it runs.
func TestTwentyLines(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "main.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			if lines := files.Position(f.Body.Rbrace).Line - files.Position(f.Body.Lbrace).Line - 1; lines > 20 {
				t.Errorf("%s has %d lines", f.Name.Name, lines)
			}
		}
	}

	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = out
	main()
	os.Stdout = stdout
	b, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if want := "tick 30: [108.00 111.27 10.00] in cell 0xA9B40025\n"; !strings.Contains(string(b), want) {
		t.Errorf("it says %q, without %q", b, want)
	}
}
