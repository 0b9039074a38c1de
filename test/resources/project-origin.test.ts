/** Tests what an origin of a project requires. */
import { expect, it } from "vitest";
import { checkOrigin } from "../../resources/project-origin.js";

const problemsOf = (args: Parameters<typeof checkOrigin>[0]) => {
  const found: string[] = [];
  checkOrigin({ name: "web", ...args }, (property, _message, code) => found.push(`${property} ${code}`));
  return found;
};

it("requires a password with an address of HTTPS, in any spelling, but not with one of SSH", () => {
  const at = (customRepoUrl: string) => problemsOf({ customRepoUrl, customRepoUser: "ann" });
  for (const url of ["https://git.example.com/web.git", "HTTPS://git.example.com/web.git"])
    expect(at(url), url).toEqual(["customRepoPass required"]);
  expect(at("git@git.example.com:https/web.git")).toEqual([]);
});
