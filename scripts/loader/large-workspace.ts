/** A workspace file of a given length that uses all of the language, for measuring. */
const TEAMS = ["web", "shop", "search", "billing", "mobile"];

/** The text of a valid file with at least so many lines. */
export function largeWorkspace(lines: number): string {
  const parts = [head(), people(200)];
  let written = linesOf(parts);
  parts.push("projects:\n");
  for (let index = 0; written < lines; index += 1) {
    const part = project(index);
    parts.push(part);
    written += linesOf([part]);
  }
  return parts.join("");
}

function linesOf(parts: readonly string[]): number {
  return parts.join("").split("\n").length - 1;
}

function head(): string {
  return `version: 1
workspace: acme
x-cache: &cache [/root/.npm, /root/.cache]
defaults:
  Pipeline: { refType: BRANCH, refName: main }
  Action: { triggerTime: ON_EVERY_EXECUTION, containerImageName: node }
templates:
  node-service:
    type: Pipeline
    parameters:
      service: { description: Folder of the service }
      node: { default: "22", enum: ["20", "22", "24"] }
    entry:
      triggerMode: ON_EVERY_PUSH
      actions:
        - name: Install
          type: BUILD
          containerImageTag: "\${param:node}"
          executeCommands: ["cd \${param:service}", npm ci]
        - template: tell
          with: { channel: C01 }
  tell:
    type: Action
    parameters:
      channel: {}
    entries:
      - name: Tell
        type: CHAT
        channel: "\${param:channel}"
        integration: chat-main
        content: "\${env:GREETING:-Done}"
`;
}

function people(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const members = numbers.map((n) => `  person${n}@example.com: { admin: ${n === 0} }\n`);
  const sets = TEAMS.map(
    (team) => `  ${team}-engineers:
    description: What ${team} may do
    repositoryAccessLevel: READ_WRITE
    pipelineAccessLevel: RUN_ONLY
`,
  );
  const groups = TEAMS.map((team, index) => {
    const own = numbers
      .filter((n) => n % TEAMS.length === index)
      .map((n) => `      - person${n}@example.com\n`);
    return `  ${team}:\n    description: Team ${team}\n    members:\n${own.join("")}`;
  });
  const variables = numbers.map((n) => `  SHARED_${n}: "value ${n}"\n`);
  return [
    ["members:\n", ...members],
    ["permissionSets:\n", ...sets],
    ["groups:\n", ...groups],
    ["variables:\n", ...variables],
  ]
    .flat()
    .join("");
}

function project(index: number): string {
  const team = TEAMS[index % TEAMS.length] ?? "web";
  const pipelines = [0, 1, 2].map((number) => pipeline(number));
  return `  ${team}-${index}:
    displayName: "${team} number ${index}"
    members:
      person${index % 200}@example.com: ${team}-engineers
      person${(index + 7) % 200}@example.com:
        permissionSet: ${team}-engineers
    variables:
      REGION: "\${env:REGION}"
      TOKEN:
        value: "\${config:token}"
        encrypted: true
      REPOSITORY: "\${ref:projects/${team}-${index}.httpRepository}"
    branches:
      develop: {}
    pipelines:
${pipelines.join("")}      service:
        template: node-service
        with:
          service: ${team}
        refName: release
`;
}

function pipeline(number: number): string {
  const actions = Array.from(
    { length: 6 },
    (_, index) => `          - name: Step ${index}
            type: BUILD
            containerImageTag: "22"
            cachedDirs: *cache
            executeCommands:
              - npm ci
              - npm run step -- --shard \${SHARD:-${index}}
            variables:
              CI: "true"
              STEP: "${index}"
`,
  );
  return `      pipeline-${number}:
        triggerMode: SCHEDULED
        cron: "${number} 2 * * *"
        # The nightly run
        variables:
          TIER: "${number}"
        actions:
${actions.join("")}          - name: Report
            type: HTTP
            notificationUrl: https://hooks.example.com/reports/${number}
            triggerTime: ON_FAILURE
            runOnlyOnFirstFailure: true
            headers:
              - { name: X-Source, value: nightly }
`;
}
