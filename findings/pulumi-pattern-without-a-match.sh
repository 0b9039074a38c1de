#!/usr/bin/env bash
# A pattern in --target or --exclude that matches nothing.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - A complete URN that the stack does not have is an error in destroy and refresh: "no resource named ... found".
# - A pattern with `**` that matches nothing is no error and no warning. As `--target` it makes `up`, `refresh` and `destroy` do nothing, with success.
# - As `--exclude` of a destroy it protects nothing: all resources are deleted, with success.
# Why it matters: a CI job that destroys "all but the database" deletes the database after somebody has renamed it, or when the pattern has a typo;
# a job that updates `**::web*` goes on being green when nothing is called so any more.
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

var reasons = []string{"no resource named"}

func TestPatterns(t *testing.T) {
	up, refresh, destroy := lt.TestOp(engine.Update), lt.TestOp(engine.Refresh), lt.TestOp(engine.Destroy)
	both := func(monitor *deploytest.ResourceMonitor) error {
		for _, name := range []string{"database", "web"} {
			if _, err := monitor.RegisterResource("pkgA:m:t", name, true, deploytest.ResourceOptions{}); err != nil {
				return err
			}
		}
		return nil
	}
	only := func(target string) engine.UpdateOptions { return engine.UpdateOptions{Parallel: 1, Targets: deploy.NewUrnTargets([]string{target})} }
	but := func(exclude string) engine.UpdateOptions { return engine.UpdateOptions{Parallel: 1, Excludes: deploy.NewUrnTargets([]string{exclude})} }
	w := &world{}
	w.run(t, "first up --target **::nobody", up, nil, both, false, only("**::nobody"))
	snap := w.run(t, "up", up, nil, both, false, engine.UpdateOptions{Parallel: 1})
	w.run(t, "refresh --target **::nobody", refresh, snap, both, false, only("**::nobody"))
	w.run(t, "refresh --target URN of nobody", refresh, snap, both, false, only(urn+"nobody"))
	w.run(t, "destroy --target **::nobody", destroy, snap, both, false, only("**::nobody"))
	w.run(t, "destroy --target URN of nobody", destroy, snap, both, false, only(urn+"nobody"))
	w.run(t, "destroy --exclude **::nobody", destroy, snap, both, false, but("**::nobody"))
	w.run(t, "destroy --exclude URN of nobody", destroy, snap, both, false, but(urn+"nobody"))
	w.run(t, "destroy --exclude **::database", destroy, snap, both, false, but("**::database"))
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- first up --target **::nobody: [] success
- up: [create database, create web] success
- refresh --target **::nobody: [] success
- refresh --target URN of nobody: [] failure, no resource named
- destroy --target **::nobody: [] success
- destroy --target URN of nobody: [] failure, no resource named
- destroy --exclude **::nobody: [delete database, delete web] success
- destroy --exclude URN of nobody: [] failure, no resource named
- destroy --exclude **::database: [delete web] success
SEEN
diff expected seen && echo "As described."
