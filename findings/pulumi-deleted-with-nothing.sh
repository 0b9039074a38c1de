#!/usr/bin/env bash
# What is `deletedWith` something that Pulumi itself never deletes: a resource that is only read (`get`), or a component.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - B is `deletedWith` A, and A is read: it exists, and somebody else looks after it. `destroy` succeeds without a call of the provider. B is gone from
#   the state and still in the service, and nobody owns it. The same happens when both leave the program.
# - The same with a component A, of which nothing at all exists in the service.
# - With an A that Pulumi creates, Delete of A takes B along, as the option means it. And when B leaves alone, it is deleted.
# Nothing refuses or warns.
# Why it matters: the container of another team (a namespace, a cluster, a project), read by `get`, is what the option is often given. Each preview
# environment that is destroyed leaves its objects there, and the next one of that name finds them.
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
	t       *testing.T
	calls   []string
	objects map[string]bool
	snap    *deploy.Snapshot
}

func (w *world) note(words ...any) { w.calls = append(w.calls, strings.TrimSpace(fmt.Sprintln(words...))) }

func (w *world) provider() (plugin.Provider, error) {
	return &deploytest.Provider{
		CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
			id := strings.ToLower(request.URN.Name())
			if !request.Preview {
				w.note("create", id)
				w.objects[id] = true
			}
			return plugin.CreateResponse{ID: resource.ID(id), Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		ReadF: func(_ context.Context, request plugin.ReadRequest) (plugin.ReadResponse, error) {
			return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: request.ID, Inputs: &request.Inputs, Outputs: &request.State}, Status: resource.StatusOK}, nil
		},
		DeleteF: func(_ context.Context, request plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			w.note("delete", request.ID)
			delete(w.objects, string(request.ID))
			if request.ID == "a" { // B lies in it
				delete(w.objects, "b")
			}
			return plugin.DeleteResponse{Status: resource.StatusOK}, nil
		},
	}, nil
}

func (w *world) run(title string, op lt.TestOp, kindOfA string, withB bool) {
	w.calls = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) (err error) {
		var a resource.URN
		switch kindOfA {
		case "none":
			return nil
		case "read":
			a, _, err = monitor.ReadResource("pkgA:m:t", "A", "a", "", property.Map{}, "", "", "", nil, "", "")
		default:
			var made *deploytest.RegisterResourceResponse
			if made, err = monitor.RegisterResource("pkgA:m:t", "A", kindOfA == "custom", deploytest.ResourceOptions{}); err == nil {
				a = made.URN
			}
		}
		if err == nil && withB {
			_, err = monitor.RegisterResource("pkgA:m:t", "B", true, deploytest.ResourceOptions{DeletedWith: a})
		}
		return err
	})
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	all := lt.TestUpdateOptions{T: w.t, HostF: hostF, SkipDisplayTests: true}
	after, err := op.RunStep(plan.GetProject(), plan.GetTarget(w.t, w.snap), all, false, plan.BackendClient, nil, "0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.snap = after
	state, objects := []string{}, []string{}
	for _, it := range after.Resources {
		if it.Type == "pkgA:m:t" {
			state = append(state, it.URN.Name())
		}
	}
	for id := range w.objects {
		objects = append(objects, id)
	}
	sort.Strings(objects)
	fmt.Printf("- %s: [%s] success; state: (%s); service: (%s)\n", title, strings.Join(w.calls, ", "), strings.Join(state, ", "), strings.Join(objects, ", "))
}

func TestNothing(t *testing.T) {
	up, destroy := lt.TestOp(engine.Update), lt.TestOp(engine.Destroy)
	for _, kind := range []string{"read", "component", "custom"} {
		begin := func() *world {
			w := &world{t: t, objects: map[string]bool{}}
			if kind == "read" {
				w.objects["a"] = true
			}
			w.run(kind+" A, up", up, kind, true)
			return w
		}
		begin().run(kind+" A, destroy", destroy, kind, true)
		begin().run(kind+" A, both leave", up, "none", false)
		begin().run(kind+" A, B leaves", up, kind, false)
	}
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- read A, up: [create b] success; state: (A, B); service: (a, b)
- read A, destroy: [] success; state: (); service: (a, b)
- read A, up: [create b] success; state: (A, B); service: (a, b)
- read A, both leave: [] success; state: (); service: (a, b)
- read A, up: [create b] success; state: (A, B); service: (a, b)
- read A, B leaves: [delete b] success; state: (A); service: (a)
- component A, up: [create b] success; state: (A, B); service: (b)
- component A, destroy: [] success; state: (); service: (b)
- component A, up: [create b] success; state: (A, B); service: (b)
- component A, both leave: [] success; state: (); service: (b)
- component A, up: [create b] success; state: (A, B); service: (b)
- component A, B leaves: [delete b] success; state: (A); service: ()
- custom A, up: [create a, create b] success; state: (A, B); service: (a, b)
- custom A, destroy: [delete a] success; state: (); service: ()
- custom A, up: [create a, create b] success; state: (A, B); service: (a, b)
- custom A, both leave: [delete a] success; state: (); service: ()
- custom A, up: [create a, create b] success; state: (A, B); service: (a, b)
- custom A, B leaves: [delete b] success; state: (A); service: (a)
SEEN
diff expected seen && echo "As described."
