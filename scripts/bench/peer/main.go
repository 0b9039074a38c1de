// A provider of Terraform for the groups of a workspace, with which the benchmark compares (npm run bench -- peer): as little as such a
// provider can be, in the framework that HashiCorp recommends for new ones.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	serve := func() provider.Provider { return workspaces{} }
	options := providerserver.ServeOpts{Address: "registry.opentofu.org/bench/workspaces"}
	if err := providerserver.Serve(context.Background(), serve, options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type workspaces struct{}

func (workspaces) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "workspaces"
}
func (workspaces) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}
func (workspaces) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (workspaces) DataSources(context.Context) []func() datasource.DataSource { return nil }
func (workspaces) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return group{} }}
}

type group struct{}

type state struct {
	Id          types.Int64  `tfsdk:"id"`
	Workspace   types.String `tfsdk:"workspace"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
}

type body struct {
	Id          int64  `json:"id,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (group) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "workspaces_group"
}

func (group) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	keep := []planmodifier.Int64{int64planmodifier.UseStateForUnknown()}
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id":          schema.Int64Attribute{Computed: true, PlanModifiers: keep},
		"workspace":   schema.StringAttribute{Required: true},
		"name":        schema.StringAttribute{Required: true},
		"description": schema.StringAttribute{Optional: true},
	}}
}

func (group) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var planned state
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	created, err := planned.send(ctx, "POST", "")
	if err != nil {
		response.Diagnostics.AddError("The group was not created", err.Error())
		return
	}
	planned.Id = types.Int64Value(created.Id)
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

func (group) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var known state
	response.Diagnostics.Append(request.State.Get(ctx, &known)...)
	found, err := known.send(ctx, "GET", known.path())
	if err != nil {
		response.Diagnostics.AddError("The group cannot be read", err.Error())
		return
	}
	known.Name, known.Description = types.StringValue(found.Name), types.StringValue(found.Description)
	response.Diagnostics.Append(response.State.Set(ctx, known)...)
}

func (group) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var planned state
	response.Diagnostics.Append(request.Plan.Get(ctx, &planned)...)
	response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &planned.Id)...)
	if _, err := planned.send(ctx, "PATCH", planned.path()); err != nil {
		response.Diagnostics.AddError("The group was not changed", err.Error())
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, planned)...)
}

func (group) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var known state
	response.Diagnostics.Append(request.State.Get(ctx, &known)...)
	if _, err := known.send(ctx, "DELETE", known.path()); err != nil {
		response.Diagnostics.AddError("The group was not deleted", err.Error())
	}
}

func (s state) path() string { return fmt.Sprintf("/%d", s.Id.ValueInt64()) }

// Sends a request, with the group as its body where it changes something, and returns the group of the response.
func (s state) send(ctx context.Context, method, path string) (body, error) {
	var content io.Reader
	if method == "POST" || method == "PATCH" {
		text, err := json.Marshal(body{Name: s.Name.ValueString(), Description: s.Description.ValueString()})
		if err != nil {
			return body{}, err
		}
		content = bytes.NewReader(text)
	}
	address := os.Getenv("WORKSPACE_AUTOMATION_BASE_URL") + "/workspaces/" + s.Workspace.ValueString() + "/groups" + path
	request, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return body{}, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("WORKSPACE_AUTOMATION_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return body{}, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return body{}, fmt.Errorf("%s %s: %s", method, address, response.Status)
	}
	var found body
	if response.StatusCode == 204 {
		return found, nil
	}
	return found, json.NewDecoder(response.Body).Decode(&found)
}
