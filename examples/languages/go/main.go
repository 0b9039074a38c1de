// Declares a project with a pipeline of three actions, a secret variable and a group.
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
	deploy, err := workspace.NewPipeline(ctx, "deploy", &workspace.PipelineArgs{
		Project:     web.ProjectName,
		ProjectId:   web.ID(),
		Name:        pulumi.String("deploy"),
		TriggerMode: workspace.TriggerModeOnEveryPush,
		RefType:     workspace.RefTypeBranch,
		RefName:     pulumi.String("main"),
	})
	if err != nil {
		return err
	}
	if err := declareActions(ctx, deploy); err != nil {
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
	if _, err := workspace.NewGroup(ctx, "testers", &workspace.GroupArgs{
		Name:        pulumi.String("QA"),
		Description: pulumi.String("Testers"),
	}); err != nil {
		return err
	}
	ctx.Export("pipeline", deploy.PipelineId)
	return nil
}

// Actions that are created one after the other are in this order.
func declareActions(ctx *pulumi.Context, deploy *workspace.Pipeline) error {
	actions := []struct {
		name string
		args *workspace.ActionArgs
	}{
		{"test", &workspace.ActionArgs{
			Name:               pulumi.String("Test"),
			Type:               workspace.ActionTypeBuild,
			ContainerImageName: pulumi.String("node"),
			ContainerImageTag:  pulumi.String("22"),
			ExecuteCommands:    pulumi.ToStringArray([]string{"npm ci", "npm test"}),
		}},
		{"ping", &workspace.ActionArgs{
			Name:        pulumi.String("Ping"),
			Type:        workspace.ActionTypePing,
			Destination: pulumi.String("shop.example.com"),
		}},
		{"notify", &workspace.ActionArgs{
			Name:            pulumi.String("Notify"),
			Type:            workspace.ActionTypeHttp,
			NotificationUrl: pulumi.String("https://hooks.example.com"),
			Headers: workspace.ActionHeadersItemArray{
				workspace.ActionHeadersItemArgs{Name: pulumi.String("X-Source"), Value: pulumi.String("pipeline")},
			},
		}},
	}
	var before []pulumi.Resource
	for _, action := range actions {
		args := action.args
		args.Project = deploy.Project
		args.Pipeline = deploy.PipelineId
		args.TriggerTime = workspace.ActionTriggerTimeOnEveryExecution
		created, err := workspace.NewAction(ctx, action.name, args, pulumi.DependsOn(before))
		if err != nil {
			return err
		}
		before = []pulumi.Resource{created}
	}
	return nil
}
