@node "%~dp0pulumi-resource-workspace-automation" %*
