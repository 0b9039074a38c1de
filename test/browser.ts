/** Finds an installed Chromium for the tests; none is downloaded. */
import { accessSync, constants } from "node:fs";

export const chromiumPath = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => {
    try {
      if (path !== undefined) accessSync(path, constants.X_OK);
      return path !== undefined;
    } catch {
      return false;
    }
  },
);
