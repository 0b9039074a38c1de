/** Adds the playground and pictures by Mermaid to VitePress's theme. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { defineAsyncComponent } from "vue";
import "../../site.css";
import MermaidPicture from "../../MermaidPicture.vue";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("MermaidPicture", MermaidPicture);
    app.component(
      "Playground",
      defineAsyncComponent(() => import("../../playground/Playground.vue")),
    );
  },
} satisfies Theme;
