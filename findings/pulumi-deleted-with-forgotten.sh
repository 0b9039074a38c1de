#!/usr/bin/env bash
# What is `deletedWith` a container leaves the state without being deleted, although it is still in the service.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework). B lies in A, and
# is `deletedWith` A:
# - A was replaced, and the deletion of its old copy failed. B was created in the new copy. In a later run, B leaves the program: that run repeats the
#   deletion of the old copy, takes this for the deletion of B's container, and drops B. B stays in the new copy, and nobody owns it. Without an old copy
#   in the state, the same change deletes B.
# - `destroy` while the deletion of A fails: B is dropped first. It is still there, and the next `up` creates it a second time.
# - With `--continue-on-error` it is the same.
# - A is `retainOnDelete`, and both leave the program: both stay in the service, although B has no such option.
# In each case Delete is never called for B, and the run says that B was deleted.
# Why it matters: deletions that fail at first (something is still in use) are ordinary, and the runs that come after them are trusted.
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

// An object of the service lies in a container or in none, and goes with it.
type object struct{ name, in string }

type world struct {
	t       *testing.T
	calls   []string
	stamp   int
	objects map[string]object
	inUse   bool
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
			made := object{name: request.URN.Name()}
			if made.name == "B" { // it lies in the newest A
				for other, it := range w.objects {
					if it.name == "A" && other > made.in {
						made.in = other
					}
				}
			}
			w.objects[id] = made
			w.note("create", made.name)
			return plugin.CreateResponse{ID: resource.ID(id), Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
			if request.OldInputs.Equals(request.NewInputs) {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome, ReplaceKeys: []resource.PropertyKey{"place"}}, nil
		},
		DeleteF: func(_ context.Context, request plugin.DeleteRequest) (plugin.DeleteResponse, error) {
			id := string(request.ID)
			if request.URN.Name() == "A" && w.inUse {
				w.note("cannot delete A", id)
				return plugin.DeleteResponse{Status: resource.StatusUnknown}, errors.New("in use")
			}
			w.note("delete", request.URN.Name(), id)
			delete(w.objects, id)
			for other, it := range w.objects {
				if it.in == id {
					delete(w.objects, other)
				}
			}
			return plugin.DeleteResponse{Status: resource.StatusOK}, nil
		},
	}, nil
}

func (w *world) run(title string, op lt.TestOp, options engine.UpdateOptions, place string, a *deploytest.ResourceOptions, withB bool) {
	w.calls = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error {
		if a != nil {
			of := *a
			of.Inputs = property.NewMap(map[string]property.Value{"place": property.New(place)})
			if _, err := monitor.RegisterResource("pkgA:m:t", "A", true, of); err != nil {
				return err
			}
		}
		if withB {
			_, err := monitor.RegisterResource("pkgA:m:t", "B", true, deploytest.ResourceOptions{DeletedWith: "urn:pulumi:test::test::pkgA:m:t::A"})
			return err
		}
		return nil
	})
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	options.Parallel = 1
	all := lt.TestUpdateOptions{T: w.t, HostF: hostF, SkipDisplayTests: true, UpdateOptions: options}
	after, err := op.RunStep(plan.GetProject(), plan.GetTarget(w.t, w.snap), all, false, plan.BackendClient, nil, "0")
	w.snap = after
	result := "success"
	if err != nil {
		result = "failure"
	}
	state, objects := []string{}, []string{}
	for _, it := range after.Resources {
		if it.Type == "pkgA:m:t" {
			mark := ""
			if it.Delete {
				mark = " to delete"
			}
			state = append(state, it.URN.Name()+" "+string(it.ID)+mark)
		}
	}
	for id, it := range w.objects {
		words := it.name + " " + id
		if it.in != "" {
			words += " in " + it.in
		}
		objects = append(objects, words)
	}
	sort.Strings(objects)
	fmt.Printf("- %s: [%s] %s; state: (%s); service: (%s)\n", title, strings.Join(w.calls, ", "), result, strings.Join(state, ", "), strings.Join(objects, ", "))
}

func TestForgotten(t *testing.T) {
	up, destroy, none, yes := lt.TestOp(engine.Update), lt.TestOp(engine.Destroy), engine.UpdateOptions{}, true
	plain := &deploytest.ResourceOptions{}
	begin := func(title string, a *deploytest.ResourceOptions) *world {
		w := &world{t: t, objects: map[string]object{}}
		w.run(title+", up", up, none, "here", a, true)
		return w
	}
	w := begin("old copy", plain)
	w.inUse = true
	w.run("old copy, A is replaced", up, none, "there", plain, true)
	w.inUse = false
	w.run("old copy, B leaves", up, none, "there", plain, false)

	w = begin("no old copy", plain)
	w.run("no old copy, A is replaced", up, none, "there", plain, true)
	w.run("no old copy, B leaves", up, none, "there", plain, false)

	for _, title := range []string{"destroy", "destroy --continue-on-error"} {
		w = begin(title, plain)
		w.inUse = true
		w.run(title+" that fails", destroy, engine.UpdateOptions{ContinueOnError: title != "destroy"}, "here", nil, false)
		w.run(title+", the next up", up, none, "here", plain, true)
	}

	w = begin("retainOnDelete", &deploytest.ResourceOptions{RetainOnDelete: &yes})
	w.run("retainOnDelete, both leave", up, none, "here", nil, false)
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- old copy, up: [create A, create B] success; state: (A id1, B id2); service: (A id1, B id2 in id1)
- old copy, A is replaced: [create A, create B, cannot delete A id1] failure; state: (A id3, B id4, A id1 to delete); service: (A id1, A id3, B id2 in id1, B id4 in id3)
- old copy, B leaves: [delete A id1] success; state: (A id3); service: (A id3, B id4 in id3)
- no old copy, up: [create A, create B] success; state: (A id1, B id2); service: (A id1, B id2 in id1)
- no old copy, A is replaced: [create A, create B, delete A id1] success; state: (A id3, B id4); service: (A id3, B id4 in id3)
- no old copy, B leaves: [delete B id4] success; state: (A id3); service: (A id3)
- destroy, up: [create A, create B] success; state: (A id1, B id2); service: (A id1, B id2 in id1)
- destroy that fails: [cannot delete A id1] failure; state: (A id1); service: (A id1, B id2 in id1)
- destroy, the next up: [create B] success; state: (A id1, B id3); service: (A id1, B id2 in id1, B id3 in id1)
- destroy --continue-on-error, up: [create A, create B] success; state: (A id1, B id2); service: (A id1, B id2 in id1)
- destroy --continue-on-error that fails: [cannot delete A id1] failure; state: (A id1); service: (A id1, B id2 in id1)
- destroy --continue-on-error, the next up: [create B] success; state: (A id1, B id3); service: (A id1, B id2 in id1, B id3 in id1)
- retainOnDelete, up: [create A, create B] success; state: (A id1, B id2); service: (A id1, B id2 in id1)
- retainOnDelete, both leave: [] success; state: (); service: (A id1, B id2 in id1)
SEEN
diff expected seen && echo "As described."
