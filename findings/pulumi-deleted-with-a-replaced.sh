#!/usr/bin/env bash
# A resource with `deletedWith`, when what it names is replaced.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - B is `deletedWith` A. A is replaced, B has not changed and depends on nothing of A. B is created again, without a Diff being asked and without
#   its own deletion, as if it had gone with A.
# - But A is replaced by create-before-delete: when B is created again, the old A and the old B are both still there. Where B's name has to be unique
#   outside of A, its creation fails.
# - `retainOnDelete` of A does not matter: the old A stays, the old B stays with it, B is created again, and nobody owns the old ones any more.
# - With `deleteBeforeReplace` of A, the order is as one would think: A goes, both come.
# - `dependsOn` alone is different: a dependent that only waits for A is left alone when A is replaced.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
cat > go.mod <<'GO'
module engine
go 1.25.0
require github.com/pulumi/pulumi/pkg/v3 v3.276.0
require github.com/pulumi/pulumi/sdk/v3 v3.276.0
GO
cat > engine_test.go <<'GO'
package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

type world struct {
	said  []string
	stamp int
}

func (w *world) say(words ...any) { w.said = append(w.said, strings.TrimSpace(fmt.Sprintln(words...))) }

func (w *world) provider() (plugin.Provider, error) {
	return &deploytest.Provider{
		CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
			w.stamp++
			w.say("create", request.URN.Name())
			return plugin.CreateResponse{ID: resource.ID(fmt.Sprint("id", w.stamp)), Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		DeleteF: func(_ context.Context, request plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			w.say("delete", request.URN.Name())
			return plugin.DeleteResponse{Status: resource.StatusOK}, nil
		},
		DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
			w.say("diff", request.URN.Name())
			if request.OldInputs.Equals(request.NewInputs) {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"size"}}, nil
		},
	}, nil
}

func (w *world) run(t *testing.T, title string, op lt.TestOp, snap *deploy.Snapshot, program func(*deploytest.ResourceMonitor) error) *deploy.Snapshot {
	w.said = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	project := plan.GetProject()
	options := lt.TestUpdateOptions{T: t, HostF: hostF, SkipDisplayTests: true}
	after, err := op.RunStep(project, plan.GetTarget(t, snap), options, false, plan.BackendClient, nil, "0")
	names := []string{}
	for _, state := range after.Resources {
		if state.Type == "pkgA:m:t" {
			names = append(names, state.URN.Name()+"="+string(state.ID))
		}
	}
	result := "success"
	if err != nil {
		result = "failure"
	}
	fmt.Printf("%s: %s; %s; state: %s\n", title, strings.Join(w.said, ", "), result, strings.Join(names, " "))
	return after
}

func play(t *testing.T, title string, a, b deploytest.ResourceOptions) {
	w := &world{}
	program := func(size string) func(*deploytest.ResourceMonitor) error {
		return func(monitor *deploytest.ResourceMonitor) error {
			options := a
			options.Inputs = property.NewMap(map[string]property.Value{"size": property.New(size)})
			if _, err := monitor.RegisterResource("pkgA:m:t", "A", true, options); err != nil {
				return err
			}
			_, err := monitor.RegisterResource("pkgA:m:t", "B", true, b)
			return err
		}
	}
	update := lt.TestOp(engine.Update)
	snap := w.run(t, title+", up", update, nil, program("small"))
	w.run(t, title+", A replaced", update, snap, program("large"))
}

func TestReplaced(t *testing.T) {
	yes := true
	urn := resource.URN("urn:pulumi:test::test::pkgA:m:t::A")
	with := deploytest.ResourceOptions{DeletedWith: urn}
	play(t, "deletedWith", deploytest.ResourceOptions{}, with)
	play(t, "deletedWith, retained", deploytest.ResourceOptions{RetainOnDelete: &yes}, with)
	play(t, "deletedWith, deleteBeforeReplace", deploytest.ResourceOptions{DeleteBeforeReplace: &yes}, with)
	play(t, "dependsOn", deploytest.ResourceOptions{}, deploytest.ResourceOptions{Dependencies: []resource.URN{urn}})
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -run Replaced -v . 2> /dev/null | grep -E '^(deletedWith|dependsOn)' | tee seen
cat > expected <<'SEEN'
deletedWith, up: create A, create B; success; state: A=id1 B=id2
deletedWith, A replaced: diff A, create A, create B, delete A; success; state: A=id3 B=id4
deletedWith, retained, up: create A, create B; success; state: A=id1 B=id2
deletedWith, retained, A replaced: diff A, create A, create B; success; state: A=id3 B=id4
deletedWith, deleteBeforeReplace, up: create A, create B; success; state: A=id1 B=id2
deletedWith, deleteBeforeReplace, A replaced: diff A, delete A, create A, create B; success; state: A=id3 B=id4
dependsOn, up: create A, create B; success; state: A=id1 B=id2
dependsOn, A replaced: diff A, create A, diff B, delete A; success; state: A=id3 B=id2
SEEN
diff expected seen && echo "As described."
