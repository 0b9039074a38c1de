#!/usr/bin/env bash
# A resource hook of Pulumi that runs after an operation, and fails.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - After a creation: the run fails, what depends on the resource is not created, and the resource is in the state as if all were well. The next run
#   creates the rest and succeeds. The hook is not called again, in this run or any other, so what it should have done is never done.
# - After a deletion: the run fails although the object is gone, and the state does not have it. Here too, the next run does not call the hook.
# - A hook before a deletion that fails keeps the object; `destroy` alone refuses such a state, because it does not run the program that has the hook.
# So a hook that must happen (a backup, a registration, a message) has to be a resource of its own, which is created until it succeeds.
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
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
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

func play(t *testing.T, when string) {
	w := &world{}
	callbacks, err := deploytest.NewCallbacksServer()
	if err != nil {
		t.Fatal(err)
	}
	both := func(monitor *deploytest.ResourceMonitor) error {
		hook, err := deploytest.NewHook(monitor, callbacks, "hook", func(context.Context, resource.URN, resource.ID, string, tokens.Type,
			*pulumirpc.ResourceOptions, *pulumirpc.ResourceOptions, *property.Map, *property.Map, *property.Map, *property.Map,
		) error {
			w.say("hook")
			return fmt.Errorf("the hook fails")
		}, false, false)
		if err != nil {
			return err
		}
		bindings := deploytest.ResourceHookBindings{}
		switch when {
		case "after create":
			bindings.AfterCreate = []*deploytest.ResourceHook{hook}
		case "after delete":
			bindings.AfterDelete = []*deploytest.ResourceHook{hook}
		case "before delete":
			bindings.BeforeDelete = []*deploytest.ResourceHook{hook}
		}
		a, err := monitor.RegisterResource("pkgA:m:t", "a", true, deploytest.ResourceOptions{ResourceHookBindings: bindings})
		if err != nil {
			return err
		}
		_, err = monitor.RegisterResource("pkgA:m:t", "b", true, deploytest.ResourceOptions{Dependencies: []resource.URN{a.URN}})
		return err
	}
	nothing := func(monitor *deploytest.ResourceMonitor) error {
		_, err := deploytest.NewHook(monitor, callbacks, "hook", func(context.Context, resource.URN, resource.ID, string, tokens.Type,
			*pulumirpc.ResourceOptions, *pulumirpc.ResourceOptions, *property.Map, *property.Map, *property.Map, *property.Map,
		) error {
			w.say("hook")
			return fmt.Errorf("the hook fails")
		}, false, false)
		return err
	}
	update := lt.TestOp(engine.Update)
	snap := w.run(t, when+", up", update, nil, both)
	snap = w.run(t, when+", up again", update, snap, both)
	if when == "before delete" {
		w.run(t, when+", destroy", lt.TestOp(engine.Destroy), snap, both)
	}
	snap = w.run(t, when+", up without a and b", update, snap, nothing)
	w.run(t, when+", the same again", update, snap, nothing)
}

func TestHooks(t *testing.T) {
	play(t, "after create")
	play(t, "after delete")
	play(t, "before delete")
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -run Hooks -v . 2> /dev/null | grep -E '^(after|before) ' | tee seen
cat > expected <<'SEEN'
after create, up: create a, hook; failure; state: a=id1
after create, up again: create b; success; state: a=id1 b=id2
after create, up without a and b: delete b, delete a; success; state: 
after create, the same again: ; success; state: 
after delete, up: create a, create b; success; state: a=id1 b=id2
after delete, up again: ; success; state: a=id1 b=id2
after delete, up without a and b: delete b, delete a, hook; failure; state: 
after delete, the same again: ; success; state: 
before delete, up: create a, create b; success; state: a=id1 b=id2
before delete, up again: ; success; state: a=id1 b=id2
before delete, destroy: ; failure; state: a=id1 b=id2
before delete, up without a and b: delete b, hook; failure; state: a=id1
before delete, the same again: hook; failure; state: a=id1
SEEN
diff expected seen && echo "As described."
