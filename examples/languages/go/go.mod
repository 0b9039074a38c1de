module workspace-in-go

go 1.25.0

require (
	example.com/pulumi-workspace-automation/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
)

replace example.com/pulumi-workspace-automation/sdk/go => ./sdks/workspace-automation
