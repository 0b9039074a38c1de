#!/usr/bin/env bash
# The option `import` with the id of another object, on a resource that is protected.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework):
# - A is in the state with id1 and is protected. The program gives it `import: other`. The preview succeeds, and `up` reads the other object and then
#   deletes id1. `protect` is on before, in the change, and after.
# - Everything else that would replace or delete a protected resource is refused: a change that replaces it, `up --replace`, a type of another kind, and
#   leaving the program.
# - Only `retainOnDelete`, in the state before, keeps the object.
# - If the other id does not exist, the run fails, and nothing is deleted.
# Why it matters: `import` with a new id is how a resource is tied to an object that was made anew by hand, or after a mistake in the id. The old
# object may be the one that was protected because it cannot be made again.
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

// world is a service with objects by their ids, and the state of a stack.
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
			if request.Preview {
				return plugin.CreateResponse{Properties: request.Properties, Status: resource.StatusOK}, nil
			}
			id := fmt.Sprint("id", len(w.objects)+1)
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

func resourceA(in string, custom bool, options deploytest.ResourceOptions) program {
	return func(monitor *deploytest.ResourceMonitor) error {
		options.Inputs = place(in)
		_, err := monitor.RegisterResource("pkgA:m:t", "A", custom, options)
		return err
	}
}

func (w *world) run(title string, preview bool, options engine.UpdateOptions, program program) {
	w.calls = nil
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error { return program(monitor) })
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	all := lt.TestUpdateOptions{T: w.t, HostF: hostF, SkipDisplayTests: true, UpdateOptions: options}
	after, err := lt.TestOp(engine.Update).RunStep(plan.GetProject(), plan.GetTarget(w.t, w.snap), all, preview, plan.BackendClient, nil, "0")
	if after != nil && !preview {
		w.snap = after
	}
	result := "success"
	if err != nil {
		result = "failure"
		for _, reason := range []string{"marked for protection", "because it is protected", "does not exist"} {
			if strings.Contains(err.Error(), reason) {
				result += ", " + reason
			}
		}
	}
	objects := []string{}
	for id := range w.objects {
		objects = append(objects, id)
	}
	sort.Strings(objects)
	fmt.Printf("- %s: [%s] %s; in the service: %s\n", title, strings.Join(w.calls, ", "), result, strings.Join(objects, " "))
}

// begin makes A, with protect, and another object by hand.
func begin(t *testing.T, title string, options deploytest.ResourceOptions) (*world, deploytest.ResourceOptions) {
	yes := true
	options.Protect = &yes
	w := &world{t: t, objects: map[string]bool{}}
	w.run(title+", up", false, engine.UpdateOptions{}, resourceA("one", true, options))
	w.objects["other"] = true
	return w, options
}

func TestProtect(t *testing.T) {
	yes, none := true, engine.UpdateOptions{}
	w, options := begin(t, "import", deploytest.ResourceOptions{})
	options.ImportID = "nowhere"
	w.run("import of an id that does not exist", false, none, resourceA("one", true, options))
	options.ImportID = "other"
	w.run("import of another, preview", true, none, resourceA("one", true, options))
	w.run("import of another, up", false, none, resourceA("one", true, options))

	w, options = begin(t, "retainOnDelete", deploytest.ResourceOptions{RetainOnDelete: &yes})
	options.ImportID = "other"
	w.run("retainOnDelete and import of another, up", false, none, resourceA("one", true, options))

	w, options = begin(t, "others", deploytest.ResourceOptions{})
	w.run("a change that replaces it", false, none, resourceA("two", true, options))
	a := deploy.NewUrnTargets([]string{"urn:pulumi:test::test::pkgA:m:t::A"})
	w.run("up --replace", false, engine.UpdateOptions{ReplaceTargets: a}, resourceA("one", true, options))
	w.run("a component of the same name and type", false, none, resourceA("one", false, options))
	w.run("it leaves the program", false, none, func(*deploytest.ResourceMonitor) error { return nil })
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- import, up: [create id1] success; in the service: id1
- import of an id that does not exist: [read nowhere] failure, does not exist; in the service: id1 other
- import of another, preview: [read other] success; in the service: id1 other
- import of another, up: [read other, delete id1] success; in the service: other
- retainOnDelete, up: [create id1] success; in the service: id1
- retainOnDelete and import of another, up: [read other] success; in the service: id1 other
- others, up: [create id1] success; in the service: id1
- a change that replaces it: [] failure, marked for protection; in the service: id1 other
- up --replace: [] failure, marked for protection; in the service: id1 other
- a component of the same name and type: [] failure, marked for protection; in the service: id1 other
- it leaves the program: [] failure, because it is protected; in the service: id1 other
SEEN
diff expected seen && echo "As described."
