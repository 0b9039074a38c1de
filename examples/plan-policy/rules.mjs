// Rules in CEL about the JSON of a plan, for a pipeline that has a policy engine of its own.
export const rules = {
  "deletes no project": `plan.plan.steps.all(s, s.type != "Project" || s.operation != "delete")`,

  "runs images of registry.example.com only": `plan.plan.steps
    .filter(s, s.type == "Action" && s.after != null && "containerImageName" in s.after)
    .all(s, s.after.containerImageName.startsWith("registry.example.com/"))`,

  "changes no secret": `plan.plan.steps
    .filter(s, s.operation == "update")
    .all(s, s.changes.all(c, type(c.after) != map || !("$secret" in c.after)))`,
};
