#!/usr/bin/env bash
# `pulumi up --target` of a resource that the program renames with an alias, while another resource depends on it.
#
# Behaviour (the engine of Pulumi 3.259.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - The program has a and b, and b depends on a. Then a becomes a-new, with an alias to its former name, and only a-new is a target. The engine
#   performs the step of a-new, and then steps for what a, the former name, was for b, which is no target: it keeps the old a in the state,
#   beside a-new. Both have the name a-new in the end, and the state is refused with "duplicate resource ... (not marked for deletion)". The CLI
#   writes such a state before anything looks at it again, and every command after that refuses it.
# - It makes no difference whether b is renamed too.
# - With b as the only target, nothing is lost: a keeps its former name. With both as targets, both get their new names.
# So a renamed resource can be a target only together with everything that depends on it (--target-dependents), or the rename comes first, alone.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
cat > go.mod <<'GO'
module engine
go 1.25.0
require github.com/pulumi/pulumi/pkg/v3 v3.259.0
require github.com/pulumi/pulumi/sdk/v3 v3.259.0
GO
cat > engine_test.go <<'GO'
package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

func urn(name string) resource.URN { return resource.URN("urn:pulumi:test::test::pkgA:m:t::" + name) }

func play(t *testing.T, title string, child bool, targets ...string) {
	loaders := []*deploytest.ProviderLoader{
		deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
			return &deploytest.Provider{}, nil
		}),
	}
	renamed := false
	program := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error {
		name := func(n string) string {
			if renamed {
				return n + "-new"
			}
			return n
		}
		alias := func(n string) []resource.URN {
			if renamed {
				return []resource.URN{urn(n)}
			}
			return nil
		}
		a, err := monitor.RegisterResource("pkgA:m:t", name("a"), true, deploytest.ResourceOptions{AliasURNs: alias("a")})
		if err != nil {
			return err
		}
		b := "b"
		var al []resource.URN
		if child {
			b = name("b")
			al = alias("b")
		}
		_, err = monitor.RegisterResource("pkgA:m:t", b, true, deploytest.ResourceOptions{
			AliasURNs: al, Dependencies: []resource.URN{a.URN},
		})
		return err
	})
	hostF := deploytest.NewPluginHostF(nil, nil, program, nil, nil, loaders...)
	p := &lt.TestPlan{}
	project := p.GetProject()
	snap, err := lt.TestOp(engine.Update).RunStep(project, p.GetTarget(t, nil), lt.TestUpdateOptions{T: t, HostF: hostF, SkipDisplayTests: true}, false, p.BackendClient, nil, "0")
	if err != nil {
		t.Fatal(err)
	}
	renamed = true
	opts := lt.TestUpdateOptions{T: t, HostF: hostF, SkipDisplayTests: true}
	opts.Targets = deploy.NewUrnTargets(targets)
	after, err := lt.TestOp(engine.Update).RunStep(project, p.GetTarget(t, snap), opts, false, p.BackendClient, nil, "1")
	if err != nil {
		fmt.Printf("%s: %s\n", title, strings.SplitN(err.Error(), "\n", 2)[0])
		return
	}
	fmt.Printf("%s:", title)
	for _, r := range after.Resources[1:] {
		fmt.Printf(" %s", r.URN.Name())
	}
	fmt.Println()
}

func TestTargetOfRenamed(t *testing.T) {
	play(t, "both renamed, target a-new", true, "**::a-new")
	play(t, "both renamed, target b-new", true, "**::b-new")
	play(t, "both renamed, target a-new and b-new", true, "**::a-new", "**::b-new")
	play(t, "a renamed, target a-new", false, "**::a-new")
	play(t, "a renamed, target b", false, "**::b")
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -run Renamed -v . 2> /dev/null | grep -E '^(both|a) renamed' | tee seen
cat > expected <<'SEEN'
both renamed, target a-new: journal validation error: duplicate resource urn:pulumi:test::test::pkgA:m:t::a-new (not marked for deletion)
both renamed, target b-new: a b-new
both renamed, target a-new and b-new: a-new b-new
a renamed, target a-new: journal validation error: duplicate resource urn:pulumi:test::test::pkgA:m:t::a-new (not marked for deletion)
a renamed, target b: a b
SEEN
diff expected seen && echo "As described."
