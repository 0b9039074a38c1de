module pulumi-workspace-automation/toolchain/language-go-python

go 1.25.0

require github.com/pulumi/pulumi/sdk/v3 v3.66.0
