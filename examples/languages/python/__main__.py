"""Declares a project with a pipeline of three actions, a secret variable, and a group of a workspace file."""

import pulumi
import pulumi_workspace_automation as workspace

web = workspace.Project("web", name="web", display_name="Web shop")
deploy = workspace.PipelineDefinition(
    "deploy",
    project=web.project_name,
    project_id=web.id,
    name="deploy",
    trigger_mode=workspace.TriggerMode.ON_EVERY_PUSH,
    ref_type=workspace.RefType.BRANCH,
    ref_name="main",
    # The actions are in the order of the list.
    actions=[
        workspace.PipelineDefinitionActionArgs(
            name="Test",
            type=workspace.ActionType.BUILD,
            trigger_time=workspace.ActionTriggerTime.ON_EVERY_EXECUTION,
            container_image_name="node",
            container_image_tag="22",
            execute_commands=["npm ci", "npm test"],
        ),
        workspace.PipelineDefinitionActionArgs(
            name="Ping",
            type=workspace.ActionType.PING,
            trigger_time=workspace.ActionTriggerTime.ON_EVERY_EXECUTION,
            destination="shop.example.com",
        ),
        workspace.PipelineDefinitionActionArgs(
            name="Notify",
            type=workspace.ActionType.HTTP,
            trigger_time=workspace.ActionTriggerTime.ON_EVERY_EXECUTION,
            notification_url="https://hooks.example.com",
            headers=[workspace.ActionHeadersItemArgs(name="X-Source", value="pipeline")],
        ),
    ],
)

workspace.Variable(
    "variable",
    project=web.project_name,
    project_id=web.id,
    key="API_TOKEN",
    value=pulumi.Config().require_secret("token"),
    encrypted=True,
)
# A part of the workspace that people edit in a workspace file.
people = workspace.WorkspaceFile("people", path="people.yaml", values={"description": "Testers"})

pulumi.export("pipeline", deploy.pipeline_id)
pulumi.export("testers", people.objects["groups/QA"]["groupId"])
