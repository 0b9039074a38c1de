#!/usr/bin/env bash
# A value that a program marks as secret, after a refresh, with a provider that takes secrets itself.
#
# Behavior (the engine of Pulumi 3.276.0, github.com/pulumi/pulumi/pkg/v3, with the providers and programs of its own test framework, over gRPC):
# - The program gives a plain argument a secret value (`pulumi.secret`). It is a secret in the state, as input and as output.
# - `refresh`, and the provider's Read answers the value as the service does, without a mark: the value is plain in the state, as input and as output,
#   also when nothing has changed, and also when it has (a password that was rotated in the service).
# - `additionalSecretOutputs` keeps the output secret, but not the input.
# - The next `up` marks it again, without an update. Until then, it stands in the state file, its copies and its history.
# - In its source, the engine repeats the marks itself only for providers that do not accept secrets.
# Why it matters: a refresh is what runs by itself, every night, and the program has not changed. A provider has to repeat each mark of the old inputs.
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

func text(values property.Map) string {
	value := values.Get("key")
	if value.Secret() {
		return "secret " + value.AsString()
	}
	return "plain " + value.AsString()
}

type world struct {
	t       *testing.T
	updates int
	actual  string
	snap    *deploy.Snapshot
}

func (w *world) provider() (plugin.Provider, error) {
	return &deploytest.Provider{
		CreateF: func(_ context.Context, request plugin.CreateRequest) (plugin.CreateResponse, error) {
			return plugin.CreateResponse{ID: "id", Properties: request.Properties, Status: resource.StatusOK}, nil
		},
		ReadF: func(_ context.Context, request plugin.ReadRequest) (plugin.ReadResponse, error) {
			read := property.NewMap(map[string]property.Value{"key": property.New(w.actual)})
			return plugin.ReadResponse{ReadResult: plugin.ReadResult{ID: request.ID, Inputs: &read, Outputs: &read}, Status: resource.StatusOK}, nil
		},
		DiffF: func(_ context.Context, request plugin.DiffRequest) (plugin.DiffResult, error) {
			if request.OldInputs.Get("key").AsString() == request.NewInputs.Get("key").AsString() {
				return plugin.DiffResult{Changes: plugin.DiffNone}, nil
			}
			return plugin.DiffResult{Changes: plugin.DiffSome}, nil
		},
		UpdateF: func(_ context.Context, request plugin.UpdateRequest) (plugin.UpdateResponse, error) {
			if !request.Preview {
				w.updates++
			}
			return plugin.UpdateResponse{Properties: request.NewInputs, Status: resource.StatusOK}, nil
		},
	}, nil
}

func (w *world) run(title string, op lt.TestOp, options deploytest.ResourceOptions) {
	w.updates = 0
	runtime := deploytest.NewLanguageRuntimeF(func(_ plugin.RunInfo, monitor *deploytest.ResourceMonitor) error {
		options.Inputs = property.NewMap(map[string]property.Value{"key": property.New("k").WithSecret(true)})
		_, err := monitor.RegisterResource("pkgA:m:t", "A", true, options)
		return err
	})
	loaders := []*deploytest.ProviderLoader{deploytest.NewProviderLoader("pkgA", semver.MustParse("1.0.0"), w.provider, deploytest.WithGrpc)}
	hostF := deploytest.NewPluginHostF(nil, nil, runtime, nil, nil, loaders...)
	plan := &lt.TestPlan{}
	all := lt.TestUpdateOptions{T: w.t, HostF: hostF, SkipDisplayTests: true}
	after, err := op.RunStep(plan.GetProject(), plan.GetTarget(w.t, w.snap), all, false, plan.BackendClient, nil, "0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.snap = after
	for _, it := range after.Resources {
		if it.Type == "pkgA:m:t" {
			inputs, outputs := resource.FromResourcePropertyMap(it.Inputs), resource.FromResourcePropertyMap(it.Outputs)
			fmt.Printf("- %s: input %s, output %s, updates %d\n", title, text(inputs), text(outputs), w.updates)
		}
	}
}

func TestSecret(t *testing.T) {
	up, refresh := lt.TestOp(engine.Update), lt.TestOp(engine.Refresh)
	for _, options := range []deploytest.ResourceOptions{{}, {AdditionalSecretOutputs: []resource.PropertyKey{"key"}}} {
		w := &world{t: t, actual: "k"}
		title := ""
		if len(options.AdditionalSecretOutputs) > 0 {
			title = "additionalSecretOutputs, "
		}
		w.run(title+"up", up, options)
		w.run(title+"refresh without a change", refresh, options)
		w.run(title+"the next up", up, options)
		w.actual = "rotated"
		w.run(title+"refresh after a change", refresh, options)
	}
}
GO
echo "The engine takes some minutes to compile."
go mod tidy 2> /dev/null
go test -v . 2> /dev/null | grep -E '^- ' | tee seen
cat > expected <<'SEEN'
- up: input secret k, output secret k, updates 0
- refresh without a change: input plain k, output plain k, updates 0
- the next up: input secret k, output secret k, updates 0
- refresh after a change: input plain rotated, output plain rotated, updates 0
- additionalSecretOutputs, up: input secret k, output secret k, updates 0
- additionalSecretOutputs, refresh without a change: input plain k, output secret k, updates 0
- additionalSecretOutputs, the next up: input secret k, output secret k, updates 0
- additionalSecretOutputs, refresh after a change: input plain rotated, output secret rotated, updates 0
SEEN
diff expected seen && echo "As described."
