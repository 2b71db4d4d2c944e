package docs

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write rules.md anew")

// rule is one row of the register.
type rule struct {
	id     string
	reason string          // why no test names it, "" when one must
	code   map[string]bool // file: declaration
	tests  map[string]bool // package Test
}

// examples is the reason of a section that is nothing but examples, which are tests
// and no code.
const examples = "examples"

// TestRulesRegister holds rules.md against the code and the tests: who adds a rule,
// or a test of one, runs it with -update. No rule goes without a test or a reason.
func TestRulesRegister(t *testing.T) {
	rules := readRules(t)
	byID := make(map[string]*rule, len(rules))
	for i := range rules {
		byID[rules[i].id] = &rules[i]
	}
	deviations := readDeviations(t)
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || filepath.Dir(name) == "../docs":
			return nil
		}
		return readFile(name, byID, deviations)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rules {
		r := &rules[i]
		if r.reason == examples { // nothing but tests
			r.reason, r.code[examples+" "] = "", true
		}
		switch {
		case len(r.tests) == 0 && r.reason == "":
			t.Errorf("%s has neither a test that names it nor a reason in rules.txt", r.id)
		case len(r.tests) > 0 && r.reason != "":
			t.Errorf("%s has a reason in rules.txt, and a test that names it", r.id)
		case len(r.code) == 0 && r.reason == "":
			t.Errorf("no code names %s: say where it is, in a comment there", r.id)
		}
	}

	want := register(rules)
	if *update {
		if err := os.WriteFile("rules.md", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rules.md is not what the code says: go test ./docs -update")
	}
}

// TestRulesAreTheSpecs: rules.txt lists what the spec has, where the spec is at hand.
func TestRulesAreTheSpecs(t *testing.T) {
	shared := os.Getenv("GAIT_SHARED")
	if shared == "" {
		shared = "../../shared"
	}
	if _, err := os.Stat(filepath.Join(shared, "spec")); err != nil {
		t.Skip("no specification at hand")
	}
	want := map[string]bool{}
	numbered := regexp.MustCompile(`\bR[1-6]\.\d+`)
	heading := regexp.MustCompile(`(?m)^##+ (\d+(?:\.\d+)?)\.? |^# (L\d) `)
	for _, file := range []string{"01", "02", "03", "04", "05", "06", "10", "11", "12", "13", "14"} {
		found, err := filepath.Glob(filepath.Join(shared, "spec", file+"-*.md"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v, %v", file, found, err)
		}
		b, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		if file < "10" {
			for _, id := range numbered.FindAllString(string(b), -1) {
				want[id] = true
			}
			continue
		}
		for _, m := range heading.FindAllStringSubmatch(string(b), -1) {
			want[file+" §"+m[1]+m[2]] = true
		}
	}
	for _, r := range readRules(t) {
		if !want[r.id] {
			t.Errorf("%s is no rule of the specification", r.id)
		}
		delete(want, r.id)
	}
	for id := range want {
		t.Errorf("%s is not in rules.txt", id)
	}
}

// readRules reads rules.txt: an id a line, with a colon and a reason where there is no test.
func readRules(t *testing.T) (rules []rule) {
	t.Helper()
	f, err := os.Open("rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		id, reason, _ := strings.Cut(lines.Text(), ": ")
		if seen[id] {
			t.Errorf("%s stands twice in rules.txt", id)
		}
		seen[id] = true
		rules = append(rules, rule{id: id, reason: reason, code: map[string]bool{}, tests: map[string]bool{}})
	}
	return rules
}

// readDeviations reads deviations.txt: which rules the deviations are from that others
// are known for, and that tests are named after.
func readDeviations(t *testing.T) map[string][]string {
	t.Helper()
	b, err := os.ReadFile("deviations.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(b)) {
		id, rules, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Errorf("deviations.txt: %q", line)
		}
		all[id] = strings.Split(rules, ", ")
	}
	return all
}

// readFile finds what the declarations of a file name.
func readFile(name string, rules map[string]*rule, deviations map[string][]string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	name = strings.TrimPrefix(filepath.ToSlash(name), "../")
	isTest := strings.HasSuffix(name, "_test.go")
	for _, d := range file.Decls {
		decl := declared(d)
		from, to := d.Pos(), d.End()
		text := strings.ReplaceAll(decl, "_", " ")
		for _, c := range file.Comments {
			if c.Pos() >= from && c.End() <= to || c == docOf(d) {
				text += "\n" + c.Text()
			}
		}
		runs := isTest && (strings.HasPrefix(decl, "Test") || strings.HasPrefix(decl, "Fuzz") || strings.HasPrefix(decl, "Example"))
		ids := named(text, decl)
		if runs {
			for _, m := range deviates.FindAllStringSubmatch(decl, -1) {
				for _, id := range deviations[m[1]+"-"+m[2]] {
					ids[id] = true
				}
			}
		}
		for id := range ids {
			for r := rules[id]; r != nil; r = rules[above(r.id)] {
				switch {
				case runs:
					r.tests[path.Dir(name)+" "+decl] = true
				case !isTest:
					r.code[name+" "+decl] = true
				}
			}
		}
	}
	if !isTest { // what stands before the first declaration, or between
		for _, c := range file.Comments {
			if c.Pos() < file.Name.Pos() || free(c, file.Decls) {
				for id := range named(c.Text(), "") {
					for r := rules[id]; r != nil; r = rules[above(r.id)] {
						r.code[name+" "] = true
					}
				}
			}
		}
	}
	return nil
}

func free(c *ast.CommentGroup, decls []ast.Decl) bool {
	for _, d := range decls {
		if c == docOf(d) || c.Pos() >= d.Pos() && c.End() <= d.End() {
			return false
		}
	}
	return true
}

func docOf(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// declared is what a declaration declares, the first of several.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			typ := d.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			if index, ok := typ.(*ast.IndexExpr); ok {
				typ = index.X
			}
			if id, ok := typ.(*ast.Ident); ok {
				return id.Name + "." + d.Name.Name
			}
		}
		return d.Name.Name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				return s.Name.Name
			case *ast.ValueSpec:
				return s.Names[0].Name
			}
		}
	}
	return ""
}

var (
	numbered  = regexp.MustCompile(`\bR([1-6])\.(\d+)(?:[–-]R?(?:[1-6]\.)?(\d+))?`)
	deviates  = regexp.MustCompile(`(DEV|O|D)_?(\d+)_`)
	inName    = regexp.MustCompile(`R([1-6])_(\d+)`)
	sectioned = regexp.MustCompile(`\b(0[1-6]|1[0-4]),? §?(L[1-4]|§\d[\d.]*(?:(?:, | and |–)§[\d.]+)*|L[1-4])`)
	sections  = regexp.MustCompile(`L[1-4]|\d+(?:\.\d+)*`)
	specName  = regexp.MustCompile(`^TestSpec(1[0-4])_(L\d|\d+(?:_\d+)?)`)
)

// named are the rules that a text, or the name of a test, names.
func named(text, decl string) map[string]bool {
	ids := map[string]bool{}
	for _, m := range numbered.FindAllStringSubmatch(text, -1) {
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(cmp.Or(m[3], m[2]))
		for n := from; n <= to; n++ {
			ids[fmt.Sprintf("R%s.%d", m[1], n)] = true
		}
	}
	for _, m := range inName.FindAllStringSubmatch(decl, -1) {
		ids["R"+m[1]+"."+m[2]] = true
	}
	for _, m := range sectioned.FindAllStringSubmatch(text, -1) {
		for _, s := range sections.FindAllString(m[2], -1) {
			ids[m[1]+" §"+s] = true
		}
	}
	if m := specName.FindStringSubmatch(decl); m != nil {
		ids[m[1]+" §"+strings.ReplaceAll(m[2], "_", ".")] = true
	}
	for id := range maps.Clone(ids) { // a step of a section is of the section
		for up := above(id); up != ""; up = above(up) {
			ids[up] = true
		}
	}
	return ids
}

// above is the section that a section is in, "" when there is none.
func above(id string) string {
	if i := strings.LastIndexByte(id, '.'); i > 0 && id[0] != 'R' {
		return id[:i]
	}
	return ""
}

// most is how many places or tests a row lists.
const most = 6

func register(rules []rule) []byte {
	var b bytes.Buffer
	b.WriteString(`# The rules register

Each rule of the specification, where the code names it, and which tests do. It is
written by ` + "`go test ./docs -update`" + ` from the code, and checked by ` + "`go test ./docs`" + `: a rule that no test
names must say why. ` + fmt.Sprint("A row lists ", most, " of each at most; `grep` finds the rest.") + `

Rules ` + "`R1.1`" + ` to ` + "`R6.29`" + ` are numbered in the text; those of 10 to 14 are sections, with all that
is inside of them.

| rule | implemented in | tests |
|---|---|---|
`)
	for _, r := range rules {
		tests := list(r.tests)
		if len(r.tests) == 0 {
			tests = "none: " + r.reason
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.id, list(r.code), tests)
	}
	return b.Bytes()
}

// list writes places, those of one file or package behind each other.
func list(places map[string]bool) string {
	var b strings.Builder
	last := ""
	all := slices.Sorted(maps.Keys(places))
	for i, p := range all {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(all)-most)
			break
		}
		in, what, _ := strings.Cut(p, " ")
		switch {
		case in == last:
			b.WriteString(",")
		case last != "":
			b.WriteString("; ")
			fallthrough
		default:
			if in != examples {
				in = "`" + in + "`"
			}
			b.WriteString(in)
		}
		if what != "" {
			b.WriteString(" " + what)
		}
		last, _, _ = strings.Cut(p, " ")
	}
	return b.String()
}
