/** Tests that an export adds what others have created anywhere in a workspace, in new and in existing objects, to an existing file. */
import { expect, it } from "vitest";
import { type Random, randomOf } from "../../../chaos/random.js";
import { chooseStories } from "../../../stories.js";
import { Kept } from "./kept.js";

const FILE = `version: 1
workspace: acme
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: One, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
          - { name: Two, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
`;
const PIPELINES = "/projects/web/pipelines";

/** Somebody who creates objects by hand. */
class Visitor {
  readonly names: string[] = [];

  constructor(
    private readonly kept: Kept,
    private readonly random: Random,
    private readonly pipelines: number[],
    private readonly actions: number[],
  ) {}

  static async of(kept: Kept, random: Random): Promise<Visitor> {
    const deploy = await kept.numberOf(PIPELINES, "pipelines", "deploy");
    const find = (name: string) => kept.numberOf(`${PIPELINES}/${deploy}/actions`, "actions", name);
    return new Visitor(kept, random, [deploy], [await find("One"), await find("Two")]);
  }

  async create(): Promise<void> {
    const name = `NEW_${this.names.length + 1}`;
    this.names.push(name);
    const { random, kept } = this;
    if (random.chance(0.5)) {
      const action = { id: random.pick(this.actions) };
      await kept.edit("POST", "/variables", { key: name, value: "x", type: "VAR", action });
    } else if (random.chance(0.6)) {
      const ping = { name, type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "example.com" };
      const path = `${PIPELINES}/${random.pick(this.pipelines)}/actions`;
      this.actions.push(Number((await kept.edit("POST", path, ping))["id"]));
    } else {
      const pipeline = { name, trigger_mode: "MANUAL", ref_type: "BRANCH", ref_name: "main" };
      this.pipelines.push(Number((await kept.edit("POST", PIPELINES, pipeline))["id"]));
    }
  }
}

it.each(chooseStories([1, 2, 3, 4, 5, 6, 7, 8], 1))("adds all of it at once: seed %i", async (seed) => {
  const random = randomOf(seed);
  const kept = await Kept.of({ "workspace.yaml": FILE });
  const visitor = await Visitor.of(kept, random);
  for (let round = 0; round < 3; round += 1) {
    for (let made = random.between(2, 5); made > 0; made -= 1) await visitor.create();
    expect(await kept.export(), `seed ${seed}`).toMatchObject({ code: 0 });
    for (const name of visitor.names) expect(kept.text()).toMatch(new RegExp(`\\b${name}\\b`));
    const unchanged = { code: 0, stderr: "workspace.yaml: nothing to change\n" };
    expect(await kept.export(), `seed ${seed}`).toMatchObject(unchanged);
  }
});
