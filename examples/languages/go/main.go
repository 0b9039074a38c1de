// Declares a project with a pipeline of three actions, a secret variable, and a group of a workspace file.
package main

import (
	workspace "example.com/pulumi-workspace-automation/sdk/go/workspaceautomation"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(declare)
}

func declare(ctx *pulumi.Context) error {
	web, err := workspace.NewProject(ctx, "web", &workspace.ProjectArgs{
		Name:        pulumi.String("web"),
		DisplayName: pulumi.String("Web shop"),
	})
	if err != nil {
		return err
	}
	deploy, err := workspace.NewPipelineDefinition(ctx, "deploy", &workspace.PipelineDefinitionArgs{
		Project:     web.ProjectName,
		ProjectId:   web.ID(),
		Name:        pulumi.String("deploy"),
		TriggerMode: workspace.TriggerModeOnEveryPush,
		RefType:     workspace.RefTypeBranch,
		RefName:     pulumi.String("main"),
		Actions:     actions(),
	})
	if err != nil {
		return err
	}
	if _, err := workspace.NewVariable(ctx, "variable", &workspace.VariableArgs{
		Project:   web.ProjectName,
		ProjectId: web.ID(),
		Key:       pulumi.String("API_TOKEN"),
		Value:     config.RequireSecret(ctx, "token"),
		Encrypted: pulumi.Bool(true),
	}); err != nil {
		return err
	}
	// A part of the workspace that people edit in a workspace file.
	people, err := workspace.NewWorkspaceFile(ctx, "people", &workspace.WorkspaceFileArgs{
		Path:   pulumi.String("people.yaml"),
		Values: pulumi.StringMap{"description": pulumi.String("Testers")},
	})
	if err != nil {
		return err
	}
	ctx.Export("pipeline", deploy.PipelineId)
	ctx.Export("testers", people.Objects.MapIndex(pulumi.String("groups/QA")).MapIndex(pulumi.String("groupId")))
	return nil
}

// The actions are in the order of the list.
func actions() workspace.PipelineDefinitionActionArray {
	always := workspace.ActionTriggerTimeOnEveryExecution
	return workspace.PipelineDefinitionActionArray{
		workspace.PipelineDefinitionActionArgs{
			Name:               pulumi.String("Test"),
			Type:               workspace.ActionTypeBuild,
			TriggerTime:        always,
			ContainerImageName: pulumi.String("node"),
			ContainerImageTag:  pulumi.String("22"),
			ExecuteCommands:    pulumi.ToStringArray([]string{"npm ci", "npm test"}),
		},
		workspace.PipelineDefinitionActionArgs{
			Name:        pulumi.String("Ping"),
			Type:        workspace.ActionTypePing,
			TriggerTime: always,
			Destination: pulumi.String("shop.example.com"),
		},
		workspace.PipelineDefinitionActionArgs{
			Name:            pulumi.String("Notify"),
			Type:            workspace.ActionTypeHttp,
			TriggerTime:     always,
			NotificationUrl: pulumi.String("https://hooks.example.com"),
			Headers: workspace.ActionHeadersItemArray{
				workspace.ActionHeadersItemArgs{Name: pulumi.String("X-Source"), Value: pulumi.String("pipeline")},
			},
		},
	}
}
