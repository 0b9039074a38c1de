/** Tests that resources of all types which share their reads see what separate reads see, in any order of requests. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aWorld, type Fault, type Step, type World } from "./reads-world.js";

describe("resources that share their reads", () => {
  const step: fc.Arbitrary<Step> = fc.constantFrom("write", "write", "read", "read", "look up", "remove");
  const script = fc.array(step, { minLength: 1, maxLength: 5 });
  const fault: fc.Arbitrary<Fault> = fc.record({
    request: fc.integer({ min: 0, max: 40 }),
    lost: fc.constantFrom("request", "answer"),
  });

  it("observe the same workspace as with separate reads, under random writes, outside edits and faults", async () => {
    let world: World | undefined;
    await fc.assert(
      fc
        .asyncProperty(
          fc.scheduler(),
          fc.array(script, { minLength: 9, maxLength: 9 }),
          fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 6 }),
          fc.array(fault, { maxLength: 4 }),
          fc.constantFrom("full" as const, "summary" as const),
          async (s, scripts, there, faults, embedded) => {
            world = await aWorld(s, { there, faults, embedded });
            await s.waitFor(Promise.all(world.objects.map((object, i) => object.play(scripts[i] ?? []))));
            world.calm();
            const seen = await s.waitFor(world.shared());
            expect(seen).toEqual(await s.waitFor(world.alone()));
          },
        )
        .afterEach(() => world?.close()),
      { numRuns: 60 },
    );
  }, 600_000);
});
