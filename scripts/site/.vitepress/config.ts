/** Builds the documentation as a web site: `npm run docs:build`. It needs no network. */
import { readFileSync } from "node:fs";
import { slug } from "github-slugger";
import { type DefaultTheme, defineConfig } from "vitepress";
import { definitions } from "../../../provider/index.js";
import { finishSite } from "../finish.js";
import { linkToRepository } from "../links.js";
import { drawMermaid } from "../mermaid.js";
import { dropEmptyHeadings, useOwnLayout } from "../readable.js";
import { boostDocument } from "../search.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const linkPage = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link: `/${link}` });
const linkType = (name: string) =>
  linkPage(name, `reference/resources/${name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()}`);
/** In the order of the help, which the index of the commands has. */
const linkCommands = () =>
  [...read("../../../docs/reference/commands.md").matchAll(/\(commands\/([\w-]+)\.md\)/g)].map(
    ([, name = ""]) => linkPage(name, `reference/commands/${name}`),
  );

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      linkPage("Install", "install"),
      linkPage("The first day", "first-day"),
      linkPage("How do I ...?", "tasks"),
      linkPage("The workspace file", "workspace-file"),
      linkPage("Connections", "connections"),
      linkPage("Editors", "editors"),
    ],
  },
  {
    text: "Guides",
    items: [
      linkPage("Pipelines as code", "guides/pipelines"),
      linkPage("Drift in CI", "drift"),
      linkPage("Accepting and reverting drift", "drift-accept"),
      linkPage("Two regions", "replicate"),
      linkPage("Taking over a workspace", "export"),
      linkPage("Coming from Terraform", "guides/from-terraform"),
      linkPage("On call", "on-call"),
      linkPage("Many workspaces", "fleet"),
      linkPage("Parts of a workspace", "parts"),
      linkPage("Secrets", "guides/secrets"),
      linkPage("Pulumi ESC and OIDC", "esc-and-oidc"),
      linkPage("Guards and saved plans", "guards"),
      linkPage("Policies", "policy"),
      linkPage("Who can do what", "access"),
      linkPage("Comparing workspaces", "compare"),
      linkPage("Lint rules of your own", "lint-rules"),
      linkPage("Other Pulumi languages", "plugin"),
      linkPage("Unit tests of programs", "testing-programs"),
      linkPage("Workspaces from a program", "automation"),
    ],
  },
  {
    text: "Reference",
    items: [
      linkPage("workspacectl", "cli"),
      { ...linkPage("Commands and options", "reference/commands"), collapsed: true, items: linkCommands() },
      linkPage("Lint rules", "lint"),
      linkPage("Error codes", "reference/errors"),
      linkPage("Reports as JSON", "reports"),
      {
        ...linkPage("Resources", "reference/resources"),
        collapsed: true,
        items: definitions.map((definition) => linkType(definition.type)),
      },
      linkPage("Provider settings", "installation-configuration"),
      linkPage("The client", "client"),
      linkPage("The emulator", "emulator"),
      linkPage("Endpoints of the emulator", "reference/emulator-endpoints"),
    ],
  },
  {
    text: "Background",
    items: [
      linkPage("Architecture", "architecture"),
      linkPage("The engine and its plans", "contributing/engine"),
      linkPage("Objects", "contributing/objects"),
      linkPage("After a crash", "contributing/recovery"),
      linkPage("Comparing", "contributing/comparing"),
      linkPage("Writing and editing files", "contributing/editing"),
      linkPage("Choices of libraries", "contributing/libraries"),
      linkPage("Before you trust it", "before-you-trust-it"),
      linkPage("Decisions", "decisions"),
      linkPage("Security", "security"),
      linkPage("Performance", "performance"),
      linkPage("Scale", "scale"),
      linkPage("Adding a resource type", "contributing/adding-a-resource"),
    ],
  },
];

const nav: DefaultTheme.NavItem[] = [
  { text: "Guide", link: "/first-day" },
  { text: "How do I ...?", link: "/tasks" },
  { text: "Commands", link: "/reference/commands" },
  { text: "Resources", link: "/reference/resources" },
];

const { version } = JSON.parse(read("../../../package.json")) as { version: string };
const icon = `data:image/svg+xml,${encodeURIComponent(read("../icon.svg"))}`;

export default defineConfig({
  title: "Workspace Automation as code",
  description:
    "Pulumi resources, a YAML workspace file, the command workspacectl and an emulator of the service.",
  base: process.env["DOCS_BASE"] ?? "/",
  // A page in the form of Pulumi's registry, for that site.
  srcDir: "../../docs",
  srcExclude: ["_index.md"],
  markdown: {
    // The anchors of Git hosts, so that a link works in both.
    anchor: { slugify: (text: string) => slug(text) },
    config: (markdown) => {
      linkToRepository(markdown);
      drawMermaid(markdown);
      dropEmptyHeadings(markdown);
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: icon }]],
  themeConfig: {
    logo: icon,
    siteTitle: "Workspace as code",
    nav: [...nav, { text: `Release ${version}`, link: "/install" }],
    search: {
      provider: "local",
      options: {
        miniSearch: { searchOptions: { boostDocument } },
      },
    },
    notFound: { linkLabel: "Take me home" },
    outline: [2, 3],
    sidebar,
  },
  // The search sends nothing.
  transformHead: () => [["meta", { "http-equiv": "Content-Security-Policy", content: "connect-src 'none'" }]],
  vite: { build: { target: "es2022", chunkSizeWarningLimit: 3000 } },
  transformPageData: useOwnLayout,
  buildEnd: finishSite,
});
