"""Declares a project with a pipeline of three actions, a secret variable and a group."""

import pulumi
import workspace_automation_sdk as workspace

web = workspace.Project("web", name="web", display_name="Web shop")
deploy = workspace.Pipeline(
    "deploy",
    project=web.project_name,
    project_id=web.id,
    name="deploy",
    trigger_mode=workspace.TriggerMode.ON_EVERY_PUSH,
    ref_type=workspace.RefType.BRANCH,
    ref_name="main",
)

# Actions that are created one after the other are in this order.
test = workspace.Action(
    "test",
    project=deploy.project,
    pipeline=deploy.pipeline_id,
    name="Test",
    type=workspace.ActionType.BUILD,
    trigger_time=workspace.ActionTriggerTime.ON_EVERY_EXECUTION,
    container_image_name="node",
    container_image_tag="22",
    execute_commands=["npm ci", "npm test"],
)
ping = workspace.Action(
    "ping",
    project=deploy.project,
    pipeline=deploy.pipeline_id,
    name="Ping",
    type=workspace.ActionType.PING,
    trigger_time=workspace.ActionTriggerTime.ON_EVERY_EXECUTION,
    destination="shop.example.com",
    opts=pulumi.ResourceOptions(depends_on=[test]),
)
workspace.Action(
    "notify",
    project=deploy.project,
    pipeline=deploy.pipeline_id,
    name="Notify",
    type=workspace.ActionType.HTTP,
    trigger_time=workspace.ActionTriggerTime.ON_EVERY_EXECUTION,
    notification_url="https://hooks.example.com",
    headers=[{"name": "X-Source", "value": "pipeline"}],
    opts=pulumi.ResourceOptions(depends_on=[ping]),
)

workspace.Variable(
    "variable",
    project=web.project_name,
    project_id=web.id,
    key="API_TOKEN",
    value=pulumi.Config().require_secret("token"),
    encrypted=True,
)
workspace.Group("testers", name="QA", description="Testers")

pulumi.export("pipeline", deploy.pipeline_id)
