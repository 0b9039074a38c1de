module pulumi-workspace-automation/toolchain/language-yaml

go 1.25.11

require github.com/pulumi/pulumi-yaml v1.32.0

replace github.com/atotto/clipboard => github.com/tgummerer/clipboard v0.0.0-20241001131231-d02d263e614e
