/** What the pages about several workspaces or files need: the contents of the workspaces, and the steps that the pages hide. */
import type { Emulator } from "../../emulator/index.js";
import { editByHand } from "./support.js";

interface Situation {
  readonly page: string;
  readonly emulators: Readonly<Record<string, Emulator>>;
  readonly run: (script: string) => Promise<string>;
}

const owner = { email: "olga@example.com", name: "Olga" };

/** The workspaces of each page by connection, each as the seed of an emulator. */
export const seeds: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  compare: {
    us: region("acme-us", {
      region: "us-east",
      tester: "Who tests it",
      group: { name: "On call" },
      command: "npm test",
      pipelines: [{ name: "tidy", trigger_mode: "MANUAL", ref_name: "main", actions: [] }],
    }),
    eu: region("acme-eu", {
      region: "eu-west",
      tester: "Testers",
      group: { name: "Hackers" },
      command: "npm run test",
      pipelines: [],
    }),
  },
  fleet: Object.fromEntries(["us", "eu", "lab", "training"].map((name) => [name, empty("acme")])),
  parts: { local: empty("acme") },
  replicate: { us: empty("acme-us", "chat-main"), eu: empty("acme-eu", "chat-eu") },
};

function empty(domain: string, integration?: string): object {
  const integrations = integration === undefined ? [] : [{ name: integration, type: "CHAT" }];
  return { users: [{ ...owner, integrations }], workspaces: [{ domain }] };
}

interface Region {
  readonly region: string;
  readonly tester: string;
  readonly group: object;
  readonly command: string;
  readonly pipelines: readonly object[];
}

function region(domain: string, { region, tester, group, command, pipelines }: Region): object {
  const action = { trigger_time: "ON_EVERY_EXECUTION" };
  const build = {
    ...action,
    name: "Build",
    type: "BUILD",
    container_image_name: "node",
    container_image_tag: "22",
  };
  const deploy = {
    ...{ name: "deploy", trigger_mode: "MANUAL", ref_name: "main" },
    actions: [
      { ...build, execute_commands: ["npm ci", command] },
      { ...action, name: "Check", type: "PING", destination: `${region}.example.com` },
    ],
  };
  const variables = [
    { key: "REGION", value: region },
    { key: "MONITOR_TOKEN", value: `monitor-token-of-${region}` },
    { key: "DEPLOY_TOKEN", value: `deploy-token-of-${region}`, encrypted: true },
  ];
  return {
    users: [owner],
    workspaces: [
      {
        ...{ domain, variables, groups: [{ name: "QA", description: tester }, group] },
        projects: [{ name: "web", pipelines: [deploy, ...pipelines] }],
      },
    ],
  };
}

/** Returns the code of a block in the page, with the line that it contains. */
function block(page: string, line: string): string {
  const found = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].find(([, code]) => code?.includes(line));
  if (found === undefined) throw new Error(`the page has no block with ${line}`);
  return found[1] ?? "";
}

const file = (name: string, text: string) => `cat > ${name} <<'END'\n${text}END`;

const WORKSPACE = `version: 1
workspace: acme
groups: { QA: { description: Testers } }
variables: { DEPLOY_TOKEN: { value: "\${env:DEPLOY_TOKEN}", encrypted: true } }
`;

const fleetOf = (names: readonly string[], more = "") => `version: 1
defaults: { backend: ./state }
workspaces:
${names.map((name) => `  ${name}: { connection: ${name} }\n`).join("")}${more}`;

const figures = (requests: number, objects: number) => ({ requests, objects });

const INTEGRATED = `version: 1
workspace: acme-us
groups:
  On call: { description: Who is called at night }
variables:
  DEPLOY_TOKEN: { value: "\${config:deployToken}", encrypted: true }
projects:
  shop:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: Tell the team
            type: CHAT
            triggerTime: ON_EVERY_EXECUTION
            channel: C0DEPLOYS
            integration: chat-main
            content: The shop is deployed
`;

/** The steps that the pages name in a comment. */
export const steps: Readonly<Record<string, (situation: Situation) => Promise<unknown>>> = {
  "write the exceptions": ({ page, run }) => run(file("compare-exceptions.yaml", block(page, "exceptions:"))),

  "write the fleet file": async ({ page, run }) => {
    await run(file("fleet.yaml", block(page, "EU_DEPLOY_TOKEN")));
    await run(file("workspace.yaml", WORKSPACE));
    await run(file("region.eu.yaml", "version: 1\ngroups: { EU: { description: Europe } }\n"));
  },
  "apply it in three workspaces, and add a wave": async ({ emulators, run }) => {
    for (const emulator of Object.values(emulators)) await emulator.reset();
    await run("rm -rf state fleet.figures.json region.eu.yaml");
    await run(file("fleet.yaml", fleetOf(["lab", "us", "eu"])));
    await run("workspacectl fleet up fleet.yaml --yes --quiet -- --create-stack");
    const gate = "gate: { drift: clean, guards: pass, command: smoke-test }";
    const waves = `waves:\n  - { name: canary, workspaces: [lab], ${gate} }\n`;
    await run(file("fleet.yaml", fleetOf(["lab", "us", "eu"], waves)));
    await run(file("smoke-test.sh", "echo the shop does not answer\nexit 1\n"));
    await run("export WORKSPACE_AUTOMATION_GATE_SMOKE_TEST='sh smoke-test.sh'");
    await run("sed -i 's/Testers/Who tests/' workspace.yaml");
  },
  "the shop answers again": ({ run }) => run("echo echo ok > smoke-test.sh"),
  "add a workspace, and change one by hand": async ({ emulators, run }) => {
    await run(file("fleet.yaml", fleetOf(["us", "eu", "lab", "training"])));
    await run("workspacectl fleet up fleet.yaml --yes --quiet -- --create-stack; mkdir reports");
    const workspaces = {
      us: figures(14, 6),
      eu: figures(12, 3),
      lab: figures(4, 1),
      training: figures(6, 2),
    };
    await run(file("fleet.figures.json", `${JSON.stringify({ version: 1, workspaces })}\n`));
    await editByHand(emulators["lab"]!, ["PATCH", "groups", "QA"], { description: "Hobby club" });
  },

  "write the files of both teams": async ({ page, emulators, run }) => {
    await emulators["local"]?.reset();
    await run("rm -rf state workspace.yaml");
    for (const name of ["web.yaml", "platform.yaml"]) await run(file(name, block(page, `# ${name}`)));
  },
  "somebody adds what no file declares": async ({ emulators }) => {
    const local = emulators["local"]!;
    await editByHand(local, ["POST", "groups"], { name: "Hobby club" });
    await editByHand(local, ["POST", "variables"], { key: "WEB_SIZE", value: "large" });
    await editByHand(local, ["POST", "variables"], { key: "REGION", value: "us-east" });
    await editByHand(local, ["POST", "projects"], { name: "old-shop", display_name: "Old shop" });
  },
  "write the file of the US": async ({ run }) => {
    await run(file("workspace.yaml", INTEGRATED));
    await run(file("Pulumi.yaml", "name: shop\nruntime: nodejs\n"));
  },
  "write the mapping": ({ run }) =>
    run(file("replicate-mapping.yaml", "version: 1\nintegrations: { chat-main: chat-eu }\n")),
};
