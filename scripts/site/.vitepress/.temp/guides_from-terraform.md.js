import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Coming from Terraform","description":"","frontmatter":{},"headers":[],"relativePath":"guides/from-terraform.md","filePath":"guides/from-terraform.md"}');
const _sfc_main = { name: "guides/from-terraform.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="coming-from-terraform" tabindex="-1">Coming from Terraform <a class="header-anchor" href="#coming-from-terraform" aria-label="Permalink to &quot;Coming from Terraform&quot;">​</a></h1><p>A workspace moves from Terraform to a workspace file without a change to any object. You export the objects from the service, so no Terraform state is converted.</p><h2 id="steps" tabindex="-1">Steps <a class="header-anchor" href="#steps" aria-label="Permalink to &quot;Steps&quot;">​</a></h2><ol><li>Stop the jobs that run <code>terraform apply</code>, and apply the last open change.</li><li>Export the workspace: <code>workspacectl export --connection us -o workspace.yaml</code>. <a href="./../export.html">Export</a> explains what it leaves open.</li><li>Import the objects into a stack: <code>workspacectl import --stack us</code>. It reads the service and writes only the state.</li><li>Run <code>workspacectl preview --stack us</code>. It reports no changes if the file matches the workspace.</li><li>Tell Terraform to forget the objects: <code>terraform state rm</code>, or <code>removed</code> blocks with <code>destroy = false</code>. Never run <code>terraform destroy</code>.</li><li>Delete the Terraform files in the same pull request that adds the workspace file.</li></ol><p>The <a href="./../first-day.html">first day</a> shows steps 2 to 4 with real output.</p><h2 id="differences" tabindex="-1">Differences <a class="header-anchor" href="#differences" aria-label="Permalink to &quot;Differences&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Terraform</th><th>here</th></tr></thead><tbody><tr><td><code>terraform plan</code>, <code>apply</code></td><td><code>workspacectl preview</code>, <code>up</code></td></tr><tr><td><code>terraform plan -refresh-only</code></td><td><code>workspacectl drift</code>, with reports for CI</td></tr><tr><td><code>terraform import</code></td><td><code>workspacectl import</code> for all objects at once</td></tr><tr><td>a state backend</td><td>Pulumi&#39;s backends, or a local folder</td></tr><tr><td><code>moved</code> blocks</td><td><code>previously: [old key]</code> in the entry</td></tr><tr><td><code>prevent_destroy</code></td><td><code>protect: true</code>, and <a href="./../guards.html">guards</a> for whole plans</td></tr><tr><td>workspaces</td><td>stacks, with an overlay for each</td></tr><tr><td>modules</td><td>templates, includes, or a TypeScript program</td></tr></tbody></table><p>Values that the service does not return, such as passwords, are not in the export. It lists them, and you set them as <a href="./secrets.html">secrets</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("guides/from-terraform.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const fromTerraform = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  fromTerraform as default
};
