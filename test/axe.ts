/** Checks a page in a browser with axe: names, roles, contrasts. */
import type Axe from "axe-core";
import { source } from "axe-core";
import type { Page } from "playwright-core";

/** Returns what axe finds, each with the element. */
export async function listViolations(page: Page): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: typeof Axe }).axe;
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
