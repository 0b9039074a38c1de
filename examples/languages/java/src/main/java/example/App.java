package example;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Either;
import com.pulumi.core.Output;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.workspaceautomation.Action;
import com.pulumi.workspaceautomation.ActionArgs;
import com.pulumi.workspaceautomation.Group;
import com.pulumi.workspaceautomation.GroupArgs;
import com.pulumi.workspaceautomation.Pipeline;
import com.pulumi.workspaceautomation.PipelineArgs;
import com.pulumi.workspaceautomation.Project;
import com.pulumi.workspaceautomation.ProjectArgs;
import com.pulumi.workspaceautomation.Variable;
import com.pulumi.workspaceautomation.VariableArgs;
import com.pulumi.workspaceautomation.enums.ActionTriggerTime;
import com.pulumi.workspaceautomation.enums.ActionType;
import com.pulumi.workspaceautomation.enums.RefType;
import com.pulumi.workspaceautomation.enums.TriggerMode;
import com.pulumi.workspaceautomation.inputs.ActionHeadersItemArgs;

/** Declares a project with a pipeline of three actions, a secret variable and a group. */
public class App {
  public static void main(String[] args) {
    Pulumi.run(App::declare);
  }

  private static void declare(Context context) {
    var web = new Project("web", ProjectArgs.builder().name("web").displayName("Web shop").build());
    var project = web.projectName();
    var deploy = new Pipeline("deploy", PipelineArgs.builder()
        .project(project)
        .projectId(web.id())
        .name("deploy")
        .triggerMode(TriggerMode.OnEveryPush)
        .refType(RefType.Branch)
        .refName("main")
        .build());

    // Actions that are created one after the other are in this order.
    var test = new Action("test", step(deploy)
        .name("Test")
        .type(ActionType.Build)
        .containerImageName("node")
        .containerImageTag("22")
        .executeCommands("npm ci", "npm test")
        .build());
    var ping = new Action("ping", step(deploy)
        .name("Ping")
        .type(ActionType.Ping)
        .destination("shop.example.com")
        .build(), CustomResourceOptions.builder().dependsOn(test).build());
    new Action("notify", step(deploy)
        .name("Notify")
        .type(ActionType.Http)
        .notificationUrl("https://hooks.example.com")
        .headers(ActionHeadersItemArgs.builder().name("X-Source").value("pipeline").build())
        .build(), CustomResourceOptions.builder().dependsOn(ping).build());

    new Variable("variable", VariableArgs.builder()
        .project(project)
        .projectId(web.id())
        .key("API_TOKEN")
        .value(context.config().requireSecret("token"))
        .encrypted(true)
        .build());
    new Group("testers", GroupArgs.builder().name("QA").description("Testers").build());

    context.export("pipeline", deploy.pipelineId());
  }

  private static ActionArgs.Builder step(Pipeline deploy) {
    Output<Either<String, Integer>> pipeline = deploy.pipelineId().applyValue(Either::ofRight);
    return ActionArgs.builder()
        .project(deploy.project())
        .pipeline(pipeline)
        .triggerTime(ActionTriggerTime.OnEveryExecution);
  }
}
