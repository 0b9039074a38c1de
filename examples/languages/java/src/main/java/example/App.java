package example;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.workspaceautomation.PipelineDefinition;
import com.pulumi.workspaceautomation.PipelineDefinitionArgs;
import com.pulumi.workspaceautomation.Project;
import com.pulumi.workspaceautomation.ProjectArgs;
import com.pulumi.workspaceautomation.Variable;
import com.pulumi.workspaceautomation.VariableArgs;
import com.pulumi.workspaceautomation.WorkspaceFile;
import com.pulumi.workspaceautomation.WorkspaceFileArgs;
import com.pulumi.workspaceautomation.enums.ActionTriggerTime;
import com.pulumi.workspaceautomation.enums.ActionType;
import com.pulumi.workspaceautomation.enums.RefType;
import com.pulumi.workspaceautomation.enums.TriggerMode;
import com.pulumi.workspaceautomation.inputs.ActionHeadersItemArgs;
import com.pulumi.workspaceautomation.inputs.PipelineDefinitionActionArgs;
import java.util.Map;

/** Declares a project with a pipeline of three actions, a secret variable, and a group of a workspace file. */
public class App {
  public static void main(String[] args) {
    Pulumi.run(App::declare);
  }

  private static void declare(Context context) {
    var web = new Project("web", ProjectArgs.builder().name("web").displayName("Web shop").build());
    var project = web.projectName();
    var deploy = new PipelineDefinition("deploy", PipelineDefinitionArgs.builder()
        .project(project)
        .projectId(web.id())
        .name("deploy")
        .triggerMode(TriggerMode.OnEveryPush)
        .refType(RefType.Branch)
        .refName("main")
        // The actions are in the order of the list.
        .actions(
            step("Test", ActionType.Build)
                .containerImageName("node")
                .containerImageTag("22")
                .executeCommands("npm ci", "npm test")
                .build(),
            step("Ping", ActionType.Ping).destination("shop.example.com").build(),
            step("Notify", ActionType.Http)
                .notificationUrl("https://hooks.example.com")
                .headers(ActionHeadersItemArgs.builder().name("X-Source").value("pipeline").build())
                .build())
        .build());

    new Variable("variable", VariableArgs.builder()
        .project(project)
        .projectId(web.id())
        .key("API_TOKEN")
        .value(context.config().requireSecret("token"))
        .encrypted(true)
        .build());
    // A part of the workspace that people edit in a workspace file.
    var people = new WorkspaceFile("people", WorkspaceFileArgs.builder()
        .path("people.yaml")
        .values(Map.of("description", "Testers"))
        .build());

    context.export("pipeline", deploy.pipelineId());
    context.export("testers", people.objects().applyValue(objects -> objects.get("groups/QA").get("groupId")));
  }

  private static PipelineDefinitionActionArgs.Builder step(String name, ActionType type) {
    return PipelineDefinitionActionArgs.builder()
        .name(name)
        .type(type)
        .triggerTime(ActionTriggerTime.OnEveryExecution);
  }
}
