// Writes the SDK of a Pulumi package in one language, as `pulumi package gen-sdk` does. The command leaves that to the language
// hosts, and those of Node.js, Python and Go that are Go modules are too old to do it; the code generators are modules of today.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi"

// Files by their paths in the folder of the SDK.
type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"go": func(pkg *schema.Package) (files, error) {
		return golang.GeneratePackage(tool, pkg, nil)
	},
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, nil)
	},
	"python": func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "generate-sdk: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	languages := strings.Join(slices.Sorted(maps.Keys(generators)), "|")
	if len(args) != 3 || generators[args[0]] == nil {
		return fmt.Errorf("give a language, the schema of the package and a folder to write: generate-sdk %s SCHEMA FOLDER", languages)
	}
	pkg, err := readSchema(args[1])
	if err != nil {
		return err
	}
	generated, err := generators[args[0]](pkg)
	if err != nil {
		return err
	}
	return write(generated, args[2])
}

func readSchema(path string) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s is not the schema of a Pulumi package: %w", path, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, fmt.Errorf("%s: %w", path, diagnostics)
	}
	// As for `pulumi package add`: an SDK that can be installed from its folder.
	pkg.SupportPack = true
	return pkg, nil
}

func write(generated files, folder string) error {
	for name, contents := range generated {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}
