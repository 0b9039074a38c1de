// Converts programs in PCL, Pulumi's intermediate language, to other languages, as `pulumi convert` does. The command leaves that
// to the language hosts, and those of Python and Go that are Go modules are too old to do it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type generator = func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

// Each language writes a program as one file.
var generators = map[string]generator{
	"python": python.GenerateProgram,
	"go":     golang.GenerateProgram,
	"java":   java.GenerateProgram,
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "convert-programs: %v\n", err)
		os.Exit(1)
	}
}

// Reads programs by name from standard input, and writes each in every language.
func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("give the schema of the package: convert-programs SCHEMA")
	}
	pkg, err := readSchema(args[0])
	if err != nil {
		return err
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var programs map[string]string
	if err := json.Unmarshal(text, &programs); err != nil {
		return fmt.Errorf("standard input is not an object of programs: %w", err)
	}
	converted := map[string]map[string]string{}
	for name, program := range programs {
		if converted[name], err = convert(program, pkg); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(converted)
}

func convert(text string, pkg *schema.Package) (map[string]string, error) {
	converted := map[string]string{}
	for language, generate := range generators {
		// A generator changes the program that it is given.
		parser := syntax.NewParser()
		if err := parser.ParseFile(bytes.NewReader([]byte(text)), "program.pp"); err != nil {
			return nil, err
		}
		if parser.Diagnostics.HasErrors() {
			return nil, parser.Diagnostics
		}
		program, diagnostics, err := pcl.BindProgram(parser.Files, loader{pkg})
		if err != nil {
			return nil, err
		}
		if diagnostics.HasErrors() {
			return nil, diagnostics
		}
		files, diagnostics, err := generate(program)
		if err != nil {
			return nil, err
		}
		if diagnostics.HasErrors() {
			return nil, diagnostics
		}
		for _, file := range files {
			converted[language] = string(file)
		}
	}
	return converted, nil
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
	return pkg, nil
}

// Knows the one package that the programs use.
type loader struct {
	pkg *schema.Package
}

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != l.pkg.Name {
		return nil, fmt.Errorf("unknown package %s", name)
	}
	return l.pkg, nil
}

func (l loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(descriptor.Name, descriptor.Version)
}
