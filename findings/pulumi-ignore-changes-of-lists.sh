#!/usr/bin/env bash
# `ignoreChanges` of items of a list: what reaches the provider.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - `list[*]` keeps the items that both lists have from the state, and takes the length and the rest from the program. The state has 1, 2, 3; the
#   program says 9, 8, 7, 6, and the provider gets 1, 2, 3, 6: a list that nobody has written. With 9, 8 it gets 1, 2.
# - `list[1]` does not ignore that item 1 is added or removed. For a key of a map it does: `map.b` is not added, and not removed.
# - A path into a list that is too short is no error.
# - `list` alone ignores everything.
# So whoever leaves the contents of a list to somebody else has to name the list, never its items: with items, a list of commands or rules becomes a
# mixture of two versions, with the old head and the new tail.
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
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

func list(items ...string) property.Value {
	values := []property.Value{}
	for _, item := range items {
		values = append(values, property.New(item))
	}
	return property.New(values)
}

func pairs(keys ...string) property.Value {
	values := map[string]property.Value{}
	for _, key := range keys {
		values[key] = property.New("of " + key)
	}
	return property.New(values)
}

func text(value property.Value) string {
	items := []string{}
	if value.IsArray() {
		for _, item := range value.AsArray().All {
			items = append(items, item.AsString())
		}
	} else {
		for key := range value.AsMap().All {
			items = append(items, key)
		}
		sort.Strings(items)
	}
	return "[" + strings.Join(items, " ") + "]"
}

func play(t *testing.T, path string, before, after property.Value) {
	got := "nothing"
	loaders := []*deploytest.ProviderLoader{
		deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
			return &deploytest.Provider{
				DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
					if request.OldInputs.Equals(request.NewInputs) {
						return plugin.DiffResult{Changes: plugin.DiffNone}, nil
					}
					return plugin.DiffResult{Changes: plugin.DiffSome}, nil
				},
				UpdateF: func(_ context.Context, request plugin.UpdateRequest) (plugin.UpdateResponse, error) {
					got = text(request.NewInputs.Get("value"))
					return plugin.UpdateResponse{Properties: request.NewInputs, Status: resource.StatusOK}, nil
				},
			}, nil
		}),
	}
	value, ignored := before, []string{}
	program := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error {
		_, err := monitor.RegisterResource("pkgA:m:t", "one", true, deploytest.ResourceOptions{
			Inputs: property.NewMap(map[string]property.Value{"value": value}), IgnoreChanges: ignored,
		})
		return err
	})
	hostF := deploytest.NewPluginHostF(nil, nil, program, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	project := plan.GetProject()
	options := lt.TestUpdateOptions{T: t, HostF: hostF, SkipDisplayTests: true}
	snap, err := lt.TestOp(engine.Update).RunStep(project, plan.GetTarget(t, nil), options, false, plan.BackendClient, nil, "0")
	if err != nil {
		t.Fatal(err)
	}
	value, ignored = after, []string{path}
	_, err = lt.TestOp(engine.Update).RunStep(project, plan.GetTarget(t, snap), options, false, plan.BackendClient, nil, "1")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("ignored %s: state %s, program %s, provider gets %s\n", path, text(before), text(after), got)
}

func TestIgnored(t *testing.T) {
	play(t, "value", list("1", "2", "3"), list("9", "8", "7", "6"))
	play(t, "value[*]", list("1", "2", "3"), list("9", "8", "7", "6"))
	play(t, "value[*]", list("1", "2", "3"), list("9", "8"))
	play(t, "value[1]", list("1"), list("1", "2"))
	play(t, "value[1]", list("1", "2"), list("1"))
	play(t, "value[1]", list("1", "2"), list("1", "9"))
	play(t, "value[7]", list("1"), list("9"))
	play(t, "value.b", pairs("a"), pairs("a", "b"))
	play(t, "value.b", pairs("a", "b"), pairs("a"))
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -run Ignored -v . 2> /dev/null | grep '^ignored' | tee seen
cat > expected <<'SEEN'
ignored value: state [1 2 3], program [9 8 7 6], provider gets nothing
ignored value[*]: state [1 2 3], program [9 8 7 6], provider gets [1 2 3 6]
ignored value[*]: state [1 2 3], program [9 8], provider gets [1 2]
ignored value[1]: state [1], program [1 2], provider gets [1 2]
ignored value[1]: state [1 2], program [1], provider gets [1]
ignored value[1]: state [1 2], program [1 9], provider gets nothing
ignored value[7]: state [1], program [9], provider gets [9]
ignored value.b: state [a], program [a b], provider gets nothing
ignored value.b: state [a b], program [a], provider gets nothing
SEEN
diff expected seen && echo "As described."
