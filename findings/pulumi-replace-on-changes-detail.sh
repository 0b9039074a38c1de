#!/usr/bin/env bash
# `replaceOnChanges` of a list, for the three ways in which a provider may say that the list has changed.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - The state has the list "1", the program says "1", "2". If the provider only says that something has changed (as a dynamic provider of the Node.js SDK
#   does, which cannot say more), no path causes a replacement: the object is updated, without a word.
# - If it names the list (by key, or by its detailed diff), `value` replaces, and `value[*]` and `value[1]` do not.
# - If its detailed diff names the item `value[1]`, all three replace.
# So whether the option does anything depends on the inside of the provider, and a path that works with one version is silent with the next.
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

func play(t *testing.T, path, way string, answer plugin.DiffResult) {
	did := []string{}
	loaders := []*deploytest.ProviderLoader{
		deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), func() (plugin.Provider, error) {
			return &deploytest.Provider{
				DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
					if request.OldInputs.Equals(request.NewInputs) {
						return plugin.DiffResult{Changes: plugin.DiffNone}, nil
					}
					return answer, nil
				},
				CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
					did = append(did, "create")
					return plugin.CreateResponse{ID: "id", Properties: request.Properties, Status: resource.StatusOK}, nil
				},
				UpdateF: func(_ context.Context, request plugin.UpdateRequest) (plugin.UpdateResponse, error) {
					did = append(did, "update")
					return plugin.UpdateResponse{Properties: request.NewInputs, Status: resource.StatusOK}, nil
				},
			}, nil
		}),
	}
	value := list("1")
	program := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error {
		_, err := monitor.RegisterResource("pkgA:m:t", "one", true, deploytest.ResourceOptions{
			Inputs: property.NewMap(map[string]property.Value{"value": value}), ReplaceOnChanges: []string{path},
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
	value, did = list("1", "2"), nil
	_, err = lt.TestOp(engine.Update).RunStep(project, plan.GetTarget(t, snap), options, false, plan.BackendClient, nil, "1")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("replaceOnChanges %s, %s: %s\n", path, way, strings.Join(did, ", "))
}

func TestReplaced(t *testing.T) {
	update, add := plugin.PropertyDiff{Kind: plugin.DiffUpdate, InputDiff: true}, plugin.PropertyDiff{Kind: plugin.DiffAdd, InputDiff: true}
	ways := []string{"changed, no keys", "key value", "detail value", "detail value[1]"}
	answers := []plugin.DiffResult{
		{Changes: plugin.DiffSome},
		{Changes: plugin.DiffSome, ChangedKeys: []resource.PropertyKey{"value"}},
		{Changes: plugin.DiffSome, DetailedDiff: map[string]plugin.PropertyDiff{"value": update}},
		{Changes: plugin.DiffSome, DetailedDiff: map[string]plugin.PropertyDiff{"value[1]": add}},
	}
	for _, path := range []string{"value", "value[*]", "value[1]"} {
		for i, way := range ways {
			play(t, path, way, answers[i])
		}
	}
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -run Replaced -v . 2> /dev/null | grep '^replaceOnChanges' | tee seen
cat > expected <<'SEEN'
replaceOnChanges value, changed, no keys: update
replaceOnChanges value, key value: create
replaceOnChanges value, detail value: create
replaceOnChanges value, detail value[1]: create
replaceOnChanges value[*], changed, no keys: update
replaceOnChanges value[*], key value: update
replaceOnChanges value[*], detail value: update
replaceOnChanges value[*], detail value[1]: create
replaceOnChanges value[1], changed, no keys: update
replaceOnChanges value[1], key value: update
replaceOnChanges value[1], detail value: update
replaceOnChanges value[1], detail value[1]: create
SEEN
diff expected seen && echo "As described."
