import { resolveComponent, withCtx, createVNode, useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderComponent } from "vue/server-renderer";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Playground","description":"","frontmatter":{"pageClass":"playground","sidebar":false,"aside":false},"headers":[],"relativePath":"playground.md","filePath":"playground.md"}');
const _sfc_main = { name: "playground.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  const _component_ClientOnly = resolveComponent("ClientOnly");
  const _component_Playground = resolveComponent("Playground", true);
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="playground" tabindex="-1">Playground <a class="header-anchor" href="#playground" aria-label="Permalink to &quot;Playground&quot;">​</a></h1><p>What does a workspace file declare? Edit an example, or paste your own file. Nothing of it leaves your browser.</p>`);
  _push(ssrRenderComponent(_component_ClientOnly, null, {
    default: withCtx((_, _push2, _parent2, _scopeId) => {
      if (_push2) {
        _push2(ssrRenderComponent(_component_Playground, null, null, _parent2, _scopeId));
      } else {
        return [
          createVNode(_component_Playground)
        ];
      }
    }),
    _: 1
  }, _parent));
  _push(`<p>The playground shows problems as <code>workspacectl validate</code> and <code>workspacectl lint</code> find them. Its tabs show the output of the commands <code>render</code>, <code>graph</code>, <code>access</code> and <code>what-runs</code>. Completion works as in <a href="./editors.html">other editors</a>. There are no environment variables and no stack here, so placeholders such as <code>\${env:TOKEN}</code> get mock values, as with <code>--offline</code>.</p><p>If you read this page in the repository, build the site with <code>npm run docs:build</code>. Then <code>npx vitepress preview scripts/site</code> shows it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("playground.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const playground = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  playground as default
};
