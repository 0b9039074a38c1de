module pulumi-workspace-automation/toolchain/language-java

go 1.25.11

require (
	github.com/pulumi/pulumi-java v1.34.0
	github.com/pulumi/pulumi/pkg/v3 v3.259.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
)

replace github.com/atotto/clipboard => github.com/tgummerer/clipboard v0.0.0-20241001131231-d02d263e614e
