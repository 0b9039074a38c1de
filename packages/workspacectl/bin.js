#!/usr/bin/env node
// Here before anything is built, so that npm links it in a clone too.
import "./dist/bin/workspacectl.js";
