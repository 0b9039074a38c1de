#!/usr/bin/env bash
# `ignoreChanges` of a property, on a resource that is replaced because of another one.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - `ignoreChanges: ["size"]`; the state has size 1, the program size 2. Alone, that is no change, as it should be.
# - When `place` changes and replaces the resource, Diff is asked with the size of the state (1), so its answer speaks of `place` alone. But the new
#   object is created with the size of the program (2), and so it is with `deleteBeforeReplace` and with `up --replace`.
# - The same holds for a value that somebody has set in the service and a refresh has put into the state (7): it is back to the program's.
# - A property that the program no longer sets is gone: the new object has none.
# Pulumi's documentation says that the program's value counts "when there is no prior state (typically the initial create)" and the state's value "for any
# later previews or updates".
# Why it matters: what is ignored is what others look after (sizes by autoscalers, rotated keys). Any replacement, months later, puts back the value of
# the day on which the program was written, and the differences of the preview do not name it.
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
	"sort"
	"strings"
	"testing"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/engine"
	lt "github.com/pulumi/pulumi/pkg/v3/engine/lifecycletest/framework"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

type world struct {
	t     *testing.T
	calls []string
	stamp int
	drift property.Map
	snap  *deploy.Snapshot
}

func (w *world) note(words ...any) { w.calls = append(w.calls, strings.TrimSpace(fmt.Sprintln(words...))) }

func text(values property.Map) string {
	parts := []string{}
	for name, value := range values.All {
		parts = append(parts, name+" "+value.AsString())
	}
	sort.Strings(parts)
	return "(" + strings.Join(parts, ", ") + ")"
}

func values(pairs ...string) property.Map {
	all := map[string]property.Value{}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = property.New(pairs[i+1])
	}
	return property.NewMap(all)
}

func (w *world) provider() (plugin.Provider, error) {
	return &deploytest.Provider{
		CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
			w.note("create", text(request.Properties))
			if request.Preview {
				return plugin.CreateResponse{Properties: request.Properties, Status: resource.StatusOK}, nil
			}
			w.stamp++
			return plugin.CreateResponse{ID: resource.ID(fmt.Sprint("id", w.stamp)), Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		ReadF: func(_ context.Context, request plugin.ReadRequest) (plugin.ReadResponse, error) {
			return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: request.ID, Inputs: &w.drift, Outputs: &w.drift}, Status: resource.StatusOK}, nil
		},
		DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
			w.note("diff", text(request.OldInputs), text(request.NewInputs))
			switch before, after := request.OldInputs, request.NewInputs; {
			case before.Get("place").AsString() != after.Get("place").AsString():
				return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"place"}}, nil
			case text(before) != text(after):
				return plugin.DiffResult{Changes: plugin.DiffSome}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffNone}, nil
		},
		DeleteF: func(_ context.Context, request plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			w.note("delete", request.ID)
			return plugin.DeleteResponse{Status: resource.StatusOK}, nil
		},
	}, nil
}

func (w *world) run(title string, op lt.TestOp, preview bool, options engine.UpdateOptions, inputs property.Map, of deploytest.ResourceOptions) {
	w.calls = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error {
		of.Inputs = inputs
		_, err := monitor.RegisterResource("pkgA:m:t", "A", true, of)
		return err
	})
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	all := lt.TestUpdateOptions{T: w.t, HostF: hostF, SkipDisplayTests: true, UpdateOptions: options}
	after, err := op.RunStep(plan.GetProject(), plan.GetTarget(w.t, w.snap), all, preview, plan.BackendClient, nil, "0")
	if !preview {
		w.snap = after
	}
	result := "success"
	if err != nil {
		result = "failure"
	}
	fmt.Printf("- %s: [%s] %s\n", title, strings.Join(w.calls, ", "), result)
}

func TestIgnored(t *testing.T) {
	up, none, yes := lt.TestOp(engine.Update), engine.UpdateOptions{}, true
	ignored := deploytest.ResourceOptions{IgnoreChanges: []string{"size"}}
	begin := func(title string) *world {
		w := &world{t: t}
		w.run(title+", the first up", up, false, none, values("place", "here", "size", "1"), ignored)
		return w
	}
	w := begin("replaced")
	w.run("size alone changes", up, false, none, values("place", "here", "size", "2"), ignored)
	w.run("replaced, preview", up, true, none, values("place", "there", "size", "2"), ignored)
	w.run("replaced, up", up, false, none, values("place", "there", "size", "2"), ignored)

	w = begin("deleteBeforeReplace")
	w.run("deleteBeforeReplace, up", up, false, none, values("place", "there", "size", "2"),
		deploytest.ResourceOptions{IgnoreChanges: []string{"size"}, DeleteBeforeReplace: &yes})

	w = begin("--replace")
	only := engine.UpdateOptions{ReplaceTargets: deploy.NewUrnTargets([]string{"urn:pulumi:test::test::pkgA:m:t::A"})}
	w.run("--replace, up", up, false, only, values("place", "here", "size", "2"), ignored)

	w = begin("changed in the service")
	w.drift = values("place", "here", "size", "7")
	w.run("changed in the service, refresh", lt.TestOp(engine.Refresh), false, none, values(), ignored)
	w.run("changed in the service, up", up, false, none, values("place", "here", "size", "1"), ignored)
	w.run("changed in the service, replaced", up, false, none, values("place", "there", "size", "1"), ignored)

	w = begin("no longer set")
	w.run("no longer set, up", up, false, none, values("place", "here"), ignored)
	w.run("no longer set, replaced", up, false, none, values("place", "there"), ignored)
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- replaced, the first up: [create (place here, size 1)] success
- size alone changes: [diff (place here, size 1) (place here, size 1)] success
- replaced, preview: [diff (place here, size 1) (place there, size 1), create (place there, size 2)] success
- replaced, up: [diff (place here, size 1) (place there, size 1), create (place there, size 2), delete id1] success
- deleteBeforeReplace, the first up: [create (place here, size 1)] success
- deleteBeforeReplace, up: [diff (place here, size 1) (place there, size 1), delete id1, create (place there, size 2)] success
- --replace, the first up: [create (place here, size 1)] success
- --replace, up: [create (place here, size 2), delete id1] success
- changed in the service, the first up: [create (place here, size 1)] success
- changed in the service, refresh: [diff (place here, size 7) (place here, size 1)] success
- changed in the service, up: [diff (place here, size 7) (place here, size 7)] success
- changed in the service, replaced: [diff (place here, size 7) (place there, size 7), create (place there, size 1), delete id1] success
- no longer set, the first up: [create (place here, size 1)] success
- no longer set, up: [diff (place here, size 1) (place here, size 1)] success
- no longer set, replaced: [diff (place here, size 1) (place there, size 1), create (place there), delete id1] success
SEEN
diff expected seen && echo "As described."
