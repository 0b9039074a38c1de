#!/usr/bin/env bash
# The way back to the old object by `import`, while Pulumi still has to delete it.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - A was replaced: id2 was created, and the deletion of id1 failed. The state has id2, and id1 as an old copy that is still to be deleted.
# - Now the program is changed back, with `import: id1`, as the replacement was a mistake and id1 is still there. The run reads id1, deletes id2 as what it
#   replaces, and then deletes id1 as the old copy. The run succeeds. Both objects are gone, and the state says that A is id1.
# - The next refresh drops A, and the next `up` with that `import` fails, because there is no such object.
# - Without the option, the way back creates a third object and deletes both. (The calls of a run are printed in alphabetical order.)
# Why it matters: "the deletion failed" is often the moment in which somebody notices what a replacement does, and the old object holds the data.
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
	"errors"
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

// world is a service with objects by their ids, and the state of a stack.
type world struct {
	t       *testing.T
	calls   []string
	stamp   int
	inUse   bool
	objects map[string]bool
	snap    *deploy.Snapshot
}

func (w *world) note(words ...any) { w.calls = append(w.calls, strings.TrimSpace(fmt.Sprintln(words...))) }

func (w *world) provider() (plugin.Provider, error) {
	return &deploytest.Provider{
		CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
			if request.Preview {
				return plugin.CreateResponse{Properties: request.Properties, Status: resource.StatusOK}, nil
			}
			w.stamp++
			id := fmt.Sprint("id", w.stamp)
			w.objects[id] = true
			w.note("create", id)
			return plugin.CreateResponse{ID: resource.ID(id), Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		ReadF: func(_ context.Context, request plugin.ReadRequest) (plugin.ReadResponse, error) {
			w.note("read", request.ID)
			if !w.objects[string(request.ID)] {
				return plugin.ReadResponse{}, nil
			}
			same := place("one")
			return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: request.ID, Inputs: &same, Outputs: &same}, Status: resource.StatusOK}, nil
		},
		DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
			if request.OldInputs.Get("place").AsString() == request.NewInputs.Get("place").AsString() {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"place"}}, nil
		},
		DeleteF: func(_ context.Context, request plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			if w.inUse {
				w.note("cannot delete", request.ID)
				return plugin.DeleteResponse{Status: resource.StatusUnknown}, errors.New("in use")
			}
			w.note("delete", request.ID)
			delete(w.objects, string(request.ID))
			return plugin.DeleteResponse{Status: resource.StatusOK}, nil
		},
	}, nil
}

func place(name string) property.Map {
	return property.NewMap(map[string]property.Value{"place": property.New(name)})
}

type program = func(*deploytest.ResourceMonitor) error

func resourceA(in string, options deploytest.ResourceOptions) program {
	return func(monitor *deploytest.ResourceMonitor) error {
		options.Inputs = place(in)
		_, err := monitor.RegisterResource("pkgA:m:t", "A", true, options)
		return err
	}
}

func (w *world) run(title string, op lt.TestOp, program program) {
	w.calls = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	all := lt.TestUpdateOptions{T: w.t, HostF: hostF, SkipDisplayTests: true}
	after, err := op.RunStep(plan.GetProject(), plan.GetTarget(w.t, w.snap), all, false, plan.BackendClient, nil, "0")
	w.snap = after
	result := "success"
	if err != nil {
		result = "failure"
		if strings.Contains(err.Error(), "does not exist") {
			result += ", does not exist"
		}
	}
	sort.Strings(w.calls)
	objects := []string{}
	for id := range w.objects {
		objects = append(objects, id)
	}
	sort.Strings(objects)
	state := []string{}
	for _, it := range after.Resources {
		switch {
		case it.Type != "pkgA:m:t":
		case it.Delete:
			state = append(state, string(it.ID)+" to delete")
		default:
			state = append(state, string(it.ID))
		}
	}
	fmt.Printf("- %s: [%s] %s; state: (%s); service: (%s)\n", title, strings.Join(w.calls, ", "), result, strings.Join(state, ", "), strings.Join(objects, ", "))
}

// begin makes A and replaces it, while the old one cannot be deleted.
func begin(t *testing.T, title string) *world {
	w := &world{t: t, objects: map[string]bool{}}
	w.run(title+", up", lt.TestOp(engine.Update), resourceA("one", deploytest.ResourceOptions{}))
	w.inUse = true
	w.run(title+", A is replaced", lt.TestOp(engine.Update), resourceA("two", deploytest.ResourceOptions{}))
	w.inUse = false
	return w
}

func TestBack(t *testing.T) {
	back := resourceA("one", deploytest.ResourceOptions{ImportID: "id1"})
	w := begin(t, "import")
	w.run("import, back to id1", lt.TestOp(engine.Update), back)
	w.run("import, refresh", lt.TestOp(engine.Refresh), back)
	w.run("import, the next up", lt.TestOp(engine.Update), back)
	w = begin(t, "no import")
	w.run("no import, back", lt.TestOp(engine.Update), resourceA("one", deploytest.ResourceOptions{}))
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- import, up: [create id1] success; state: (id1); service: (id1)
- import, A is replaced: [cannot delete id1, create id2] failure; state: (id2, id1 to delete); service: (id1, id2)
- import, back to id1: [delete id1, delete id2, read id1] success; state: (id1); service: ()
- import, refresh: [read id1] success; state: (); service: ()
- import, the next up: [read id1] failure, does not exist; state: (); service: ()
- no import, up: [create id1] success; state: (id1); service: (id1)
- no import, A is replaced: [cannot delete id1, create id2] failure; state: (id2, id1 to delete); service: (id1, id2)
- no import, back: [create id3, delete id1, delete id2] success; state: (id3); service: (id3)
SEEN
diff expected seen && echo "As described."
