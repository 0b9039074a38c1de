/** Adds the playground to VitePress's theme. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { defineAsyncComponent } from "vue";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component(
      "Playground",
      defineAsyncComponent(() => import("../../playground/Playground.vue")),
    );
  },
} satisfies Theme;
