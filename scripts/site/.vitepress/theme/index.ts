/** Adds pictures by Mermaid, and a main part for pages without one, to VitePress's theme. */
/* eslint-disable imports/imports -- our styles come after those of the theme, which they change */
import { type Theme, useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { defineComponent, h, nextTick, onMounted, watch } from "vue";
import MermaidPicture from "../../MermaidPicture.vue";
import "../../site.css";

function markMain(): void {
  const content = document.getElementById("VPContent");
  if (content?.querySelector("main")) content.removeAttribute("role");
  else content?.setAttribute("role", "main");
}

const Layout = defineComponent(() => {
  const route = useRoute();
  onMounted(markMain);
  watch(
    () => route.data,
    () => nextTick(markMain),
  );
  return () => h(DefaultTheme.Layout);
});

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("MermaidPicture", MermaidPicture);
  },
} satisfies Theme;
