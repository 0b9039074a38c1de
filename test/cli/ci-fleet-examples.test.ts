/** Tests the GitLab files of examples/ci/fleet: keywords, child pipelines, and what they take from their parent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const folder = join(import.meta.dirname, "../../examples/ci/fleet/gitlab");

describe("GitLab CI for a fleet", () => {
  const script = z.array(z.string()).min(1);
  const paths = z.array(z.string());
  const artifacts = z.strictObject({
    when: z.literal("always").optional(),
    paths,
    expire_in: z.string(),
    reports: z.strictObject({ junit: z.string() }).optional(),
  });
  const cache = z.array(
    z.strictObject({
      key: z.union([z.string(), z.strictObject({ files: paths })]),
      paths,
      policy: z.literal("pull").optional(),
      when: z.literal("always").optional(),
    }),
  );
  const head = { include: z.literal("/tool.gitlab-ci.yml"), stages: paths };
  const rules = z.tuple([z.strictObject({ if: z.string() })]);
  const read = (name: string): unknown => parse(readFileSync(join(folder, name), "utf8"));

  const triggers = (job: string, child: string) =>
    z.strictObject({
      include: z.tuple([
        z.strictObject({ artifact: z.literal("shards.yml"), job: z.literal(job) }),
        z.strictObject({ project: z.literal("platform/workspace-ci"), file: z.literal(`/${child}`) }),
      ]),
      strategy: z.literal("depend"),
    });

  it("starts a child pipeline of the planned shards, which takes the figures of its parent", () => {
    const update = {
      rules: z.tuple([
        z.strictObject({
          if: z.literal('$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'),
        }),
      ]),
    };
    const parent = z.strictObject({
      ...head,
      workflow: z.strictObject({
        auto_cancel: z.strictObject({ on_new_commit: z.literal("interruptible") }),
      }),
      preview: z.strictObject({
        ...{ stage: z.literal("preview"), interruptible: z.literal(true), rules, script },
        environment: z.strictObject({ name: z.literal("preview"), action: z.literal("access") }),
        artifacts: artifacts.omit({ expire_in: true }),
      }),
      report: z.looseObject({ stage: z.literal("report"), needs: z.tuple([z.literal("preview")]) }),
      plan: z.strictObject({ stage: z.literal("plan"), rules, cache, script, artifacts }),
      fleet: z.strictObject({
        stage: z.literal("fleet"),
        rules,
        variables: z.strictObject({ PARENT_PIPELINE_ID: z.literal("$CI_PIPELINE_ID") }),
        trigger: triggers("plan", "fleet-shards.gitlab-ci.yml"),
      }),
      canary: z.strictObject({
        ...{ stage: z.literal("canary"), ...update, script, resource_group: z.string() },
        environment: z.literal("production"),
      }),
      "plan-rest": z.strictObject({ stage: z.literal("plan"), ...update, script, artifacts }),
      rest: z.strictObject({
        ...{ stage: z.literal("fleet"), ...update, resource_group: z.string() },
        trigger: triggers("plan-rest", "fleet-rest.gitlab-ci.yml"),
      }),
      promote: z.looseObject({
        stage: z.literal("promote"),
        rules: z.tuple([
          z.strictObject({ if: z.string(), when: z.literal("manual"), allow_failure: z.literal(true) }),
        ]),
        environment: z.strictObject({ name: z.literal("preview"), action: z.literal("access") }),
        script,
        artifacts,
      }),
      propose: z.looseObject({
        stage: z.literal("promote"),
        needs: z.tuple([z.literal("promote")]),
        environment: z.strictObject({ name: z.literal("propose"), action: z.literal("access") }),
        script,
      }),
    });
    const rest = z.strictObject({
      ...head,
      shard: z.strictObject({
        ...{ extends: z.literal(".fleet-shards"), stage: z.literal("shard"), script },
        environment: z.literal("production"),
      }),
    });
    const child = z.strictObject({
      ...head,
      shard: z.strictObject({
        extends: z.literal(".fleet-shards"),
        stage: z.literal("shard"),
        environment: z.strictObject({ name: z.literal("preview"), action: z.literal("access") }),
        needs: z.tuple([
          z.strictObject({
            pipeline: z.literal("$PARENT_PIPELINE_ID"),
            job: z.literal("plan"),
            artifacts: z.literal(true),
          }),
        ]),
        script,
        allow_failure: z.strictObject({ exit_codes: z.array(z.int()) }),
        artifacts,
      }),
      merge: z.strictObject({
        stage: z.literal("merge"),
        when: z.literal("always"),
        cache,
        script,
        artifacts,
      }),
    });
    expect(parent.parse(read(".gitlab-ci.yml")).stages).toEqual([
      "preview",
      "report",
      "canary",
      "plan",
      "fleet",
      "promote",
    ]);
    child.parse(read("fleet-shards.gitlab-ci.yml"));
    rest.parse(read("fleet-rest.gitlab-ci.yml"));
  });
});
