#!/usr/bin/env bash
# The resource option `import`, when the program does not say what the object is like.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - The first `up` reads the object, and updates it to what the program says, in the same run: an import that was meant to take the object over as it
#   is changes it. It is no error, and no second run is needed.
# - If the provider would have to replace the object, the run fails and changes nothing. Yet the object is in the state from then on.
# - A property that the program leaves out is removed from the object, unless `ignoreChanges` names it.
# - If the update fails, the object is in the state all the same.
# - With equal inputs, or with `ignoreChanges` for each property that differs, nothing is sent.
# So to take an object over as it is, compare first (`pulumi import`, or a preview), and protect it: removing the option later does not undo the update.
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
		ReadF: func(_ context.Context, request plugin.ReadRequest) (plugin.ReadResponse, error) {
			w.say("read", request.ID)
			return plugin.ReadResponse{
				ReadResult: plugin.ReadResult{ID: request.ID, Inputs: &live, Outputs: &live}, Status: resource.StatusOK,
			}, nil
		},
		UpdateF: func(_ context.Context, request plugin.UpdateRequest) (plugin.UpdateResponse, error) {
			w.say("update", text(request.OldInputs), "to", text(request.NewInputs))
			if text(request.NewInputs) == "note=refused size=small" {
				return plugin.UpdateResponse{Status: resource.StatusUnknown}, fmt.Errorf("refused")
			}
			return plugin.UpdateResponse{Properties: request.NewInputs, Status: resource.StatusOK}, nil
		},
		DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
			if request.OldInputs.Equals(request.NewInputs) {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			if !request.OldInputs.Get("size").Equals(request.NewInputs.Get("size")) {
				return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"size"}}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome}, nil
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

var live = inputs("size", "small", "note", "written by hand")

func inputs(pairs ...string) property.Map {
	values := map[string]property.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = property.New(pairs[i+1])
	}
	return property.NewMap(values)
}

func text(values property.Map) string {
	parts := []string{}
	for key, value := range values.All {
		parts = append(parts, key+"="+value.AsString())
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}

func play(t *testing.T, title string, ignored []string, given property.Map) {
	w := &world{}
	program := func(monitor *deploytest.ResourceMonitor) error {
		_, err := monitor.RegisterResource("pkgA:m:t", "a", true, deploytest.ResourceOptions{Inputs: given, ImportID: "7", IgnoreChanges: ignored})
		return err
	}
	snap := w.run(t, title+", up", lt.TestOp(engine.Update), nil, program)
	w.run(t, title+", again", lt.TestOp(engine.Update), snap, program)
}

func TestImport(t *testing.T) {
	play(t, "the same", nil, inputs("size", "small", "note", "written by hand"))
	play(t, "another note", nil, inputs("size", "small", "note", "of the program"))
	play(t, "no note", nil, inputs("size", "small"))
	play(t, "no note, ignored", []string{"note"}, inputs("size", "small"))
	play(t, "another size", nil, inputs("size", "large", "note", "written by hand"))
	play(t, "a refused note", nil, inputs("size", "small", "note", "refused"))
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -run Import -v . 2> /dev/null | grep -E '^(the same|another|no note|a refused)' | tee seen
cat > expected <<'SEEN'
the same, up: read 7; success; state: a=7
the same, again: ; success; state: a=7
another note, up: read 7, update note=written by hand size=small to note=of the program size=small; success; state: a=7
another note, again: ; success; state: a=7
no note, up: read 7, update note=written by hand size=small to size=small; success; state: a=7
no note, again: ; success; state: a=7
no note, ignored, up: read 7; success; state: a=7
no note, ignored, again: ; success; state: a=7
another size, up: read 7; failure; state: a=7
another size, again: ; failure; state: a=7
a refused note, up: read 7, update note=written by hand size=small to note=refused size=small; failure; state: a=7
a refused note, again: update note=written by hand size=small to note=refused size=small; failure; state: a=7
SEEN
diff expected seen && echo "As described."
