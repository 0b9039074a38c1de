/** Builds the documentation as a web site: `npm run docs:build`. It needs no network. */
import { readFileSync } from "node:fs";
import { slug } from "github-slugger";
import { defineConfig, type DefaultTheme } from "vitepress";
import { definitions } from "../../../provider/index.js";
import { finishSite } from "../finish.js";
import { repositoryLinks } from "../links.js";
import { mermaidPictures } from "../mermaid.js";
import { absentModules } from "../playground/absent-modules.js";
import { boostDocument } from "../search.js";

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link: `/${link}` });
const type = (name: string) =>
  page(name, `reference/resources/${name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()}`);

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      page("Install", "install"),
      page("The first day", "first-day"),
      page("How do I ...?", "tasks"),
      page("The workspace file", "workspace-file"),
      page("Connections", "connections"),
      page("Editors", "editors"),
      page("Playground", "playground"),
    ],
  },
  {
    text: "Guides",
    items: [
      page("Pipelines as code", "guides/pipelines"),
      page("Drift in CI", "drift"),
      page("Accepting and reverting drift", "drift-accept"),
      page("Two regions", "replicate"),
      page("Taking over a workspace", "export"),
      page("Coming from Terraform", "guides/from-terraform"),
      page("Many workspaces", "fleet"),
      page("Parts of a workspace", "parts"),
      page("Secrets", "guides/secrets"),
      page("Pulumi ESC and OIDC", "esc-and-oidc"),
      page("Guards and saved plans", "guards"),
      page("Policies", "policy"),
      page("Who can do what", "access"),
      page("Comparing workspaces", "compare"),
      page("Lint rules of your own", "lint-rules"),
      page("Other Pulumi languages", "plugin"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("workspacectl", "cli"),
      page("Commands and options", "reference/commands"),
      page("Lint rules", "lint"),
      page("Error codes", "reference/errors"),
      page("Reports as JSON", "reports"),
      {
        ...page("Resources", "reference/resources"),
        collapsed: true,
        items: definitions.map((definition) => type(definition.type)),
      },
      page("Provider settings", "installation-configuration"),
      page("The client", "client"),
      page("The emulator", "emulator"),
      page("Endpoints of the emulator", "reference/emulator-endpoints"),
    ],
  },
  {
    text: "Background",
    items: [
      page("Architecture", "architecture"),
      page("The engine and its plans", "contributing/engine"),
      page("Objects", "contributing/objects"),
      page("After a crash", "contributing/recovery"),
      page("Comparing", "contributing/comparing"),
      page("Writing and editing files", "contributing/editing"),
      page("Choices of libraries", "contributing/libraries"),
      page("Decisions", "decisions"),
      page("Security", "security"),
      page("Performance", "performance"),
      page("Scale", "scale"),
      page("Adding a resource type", "contributing/adding-a-resource"),
    ],
  },
];

const nav: DefaultTheme.NavItem[] = [
  { text: "Guide", link: "/first-day" },
  { text: "How do I ...?", link: "/tasks" },
  { text: "Commands", link: "/reference/commands" },
  { text: "Resources", link: "/reference/resources" },
  { text: "Playground", link: "/playground" },
];

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { version } = JSON.parse(read("../../../package.json")) as { version: string };
const icon = `data:image/svg+xml,${encodeURIComponent(read("../icon.svg"))}`;

/** The modules of the rooms only define things when they are loaded. */
const hasSideEffects = (id: string) => /node_modules|playground/.test(id);

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
      repositoryLinks(markdown);
      mermaidPictures(markdown);
    },
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: icon }]],
  themeConfig: {
    logo: icon,
    siteTitle: "Workspace as code",
    nav: [...nav, { text: `Release ${version}`, link: "/install" }],
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: { boostDocument } } },
    },
    outline: [2, 3],
    sidebar,
  },
  // The search and the playground send nothing, and what is pasted stays in the browser.
  transformHead: () => [["meta", { "http-equiv": "Content-Security-Policy", content: "connect-src 'none'" }]],
  vite: {
    build: { target: "es2022", chunkSizeWarningLimit: 3000 },
    worker: {
      format: "es",
      plugins: () => [absentModules()],
      rollupOptions: {
        output: { inlineDynamicImports: true },
        treeshake: { moduleSideEffects: hasSideEffects },
      },
    },
  },
  buildEnd: finishSite,
});
