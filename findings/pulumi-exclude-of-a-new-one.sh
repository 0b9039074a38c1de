#!/usr/bin/env bash
# `up --exclude` of a resource that is new, and on which another new one rests.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework; the command
# of 3.259.0, a Node.js program and a state in files show the same):
# - A and B are new, B rests on A: by `dependsOn`, `deletedWith` or `replaceWith`. `up --exclude A` plans one creation, B's, without a warning, and makes it.
# - Then the state refers to an A that was never created. It is written all the same, and it is invalid: every later run refuses it, and the new
#   B stands in the service.
# - The same wish the other way round, `up --target B`, is refused before anything is created ("untargeted create").
# - The same invalid state comes from a `replaceWith` that stays when its A leaves the program: A is deleted, then the state is invalid. With
#   `deletedWith` A is not even deleted.
# Why it matters: a first run in parts ("all but the expensive one") is what --exclude is for, and its preview is clean.
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
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

type world struct {
	calls []string
	stamp int
}

func (w *world) note(words ...any) { w.calls = append(w.calls, strings.TrimSpace(fmt.Sprintln(words...))) }

func (w *world) provider() (plugin.Provider, error) {
	return &deploytest.Provider{
		CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
			if request.Preview {
				return plugin.CreateResponse{Properties: request.Properties, Status: resource.StatusOK}, nil
			}
			w.stamp++
			w.note("create", request.URN.Name())
			return plugin.CreateResponse{ID: resource.ID(fmt.Sprint("id", w.stamp)), Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		DeleteF: func(_ context.Context, request plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			w.note("delete", request.URN.Name())
			return plugin.DeleteResponse{Status: resource.StatusOK}, nil
		},
	}, nil
}

const urn = "urn:pulumi:test::test::pkgA:m:t::"

type program = func(*deploytest.ResourceMonitor) error

// run makes one run, and prints what the provider was asked for and how the run ended.
func (w *world) run(t *testing.T, title string, op lt.TestOp, snap *deploy.Snapshot, program program, preview bool, options engine.UpdateOptions) *deploy.Snapshot {
	w.calls = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	all := lt.TestUpdateOptions{T: t, HostF: hostF, SkipDisplayTests: true, UpdateOptions: options}
	after, err := op.RunStep(plan.GetProject(), plan.GetTarget(t, snap), all, preview, plan.BackendClient, nil, "0")
	result := "success"
	if err != nil {
		result = "failure"
		for _, reason := range reasons {
			if strings.Contains(err.Error(), reason) {
				result += ", " + reason
				break
			}
		}
	}
	fmt.Printf("- %s: [%s] %s\n", title, strings.Join(w.calls, ", "), result)
	return after
}

var reasons = []string{"untargeted create", "missing", "comes after it"}

func tied(kind string, withA bool) program {
	return func(monitor *deploytest.ResourceMonitor) error {
		if withA {
			if _, err := monitor.RegisterResource("pkgA:m:t", "A", true, deploytest.ResourceOptions{}); err != nil {
				return err
			}
		}
		b := deploytest.ResourceOptions{}
		switch a := resource.URN(urn + "A"); kind {
		case "dependsOn":
			b.Dependencies = []resource.URN{a}
		case "deletedWith":
			b.DeletedWith = a
		case "replaceWith":
			b.ReplaceWith = []resource.URN{a}
		}
		_, err := monitor.RegisterResource("pkgA:m:t", "B", true, b)
		return err
	}
}

func TestTies(t *testing.T) {
	up := lt.TestOp(engine.Update)
	withoutA := engine.UpdateOptions{Excludes: deploy.NewUrnTargets([]string{urn + "A"})}
	onlyB := engine.UpdateOptions{Targets: deploy.NewUrnTargets([]string{urn + "B"})}
	for _, kind := range []string{"dependsOn", "deletedWith", "replaceWith"} {
		w := &world{}
		w.run(t, kind+", preview --exclude A", up, nil, tied(kind, true), true, withoutA)
		w.run(t, kind+", up --exclude A", up, nil, tied(kind, true), false, withoutA)
		w.run(t, kind+", up --target B", up, nil, tied(kind, true), false, onlyB)
	}
	for _, kind := range []string{"deletedWith", "replaceWith"} {
		w := &world{}
		snap := w.run(t, kind+", up", up, nil, tied(kind, true), false, engine.UpdateOptions{})
		w.run(t, kind+", preview after A has left the program", up, snap, tied(kind, false), true, engine.UpdateOptions{})
		w.run(t, kind+", up after A has left the program", up, snap, tied(kind, false), false, engine.UpdateOptions{})
	}
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- dependsOn, preview --exclude A: [] success
- dependsOn, up --exclude A: [create B] failure, missing
- dependsOn, up --target B: [] failure, untargeted create
- deletedWith, preview --exclude A: [] success
- deletedWith, up --exclude A: [create B] failure, missing
- deletedWith, up --target B: [] failure, untargeted create
- replaceWith, preview --exclude A: [] success
- replaceWith, up --exclude A: [create B] failure, missing
- replaceWith, up --target B: [] failure, untargeted create
- deletedWith, up: [create A, create B] success
- deletedWith, preview after A has left the program: [] success
- deletedWith, up after A has left the program: [] failure, comes after it
- replaceWith, up: [create A, create B] success
- replaceWith, preview after A has left the program: [] success
- replaceWith, up after A has left the program: [delete A] failure, comes after it
SEEN
diff expected seen && echo "As described."
