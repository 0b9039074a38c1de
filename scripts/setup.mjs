// Installs and builds everything and then runs a command: `node scripts/setup.mjs demo|test|prepare|build [arguments]`.
//
// This file must be valid for old versions of Node.js, so that they print the message below instead of a syntax error.
// setup/main.mjs contains the steps.
const minimum = [20, 19];
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
  console.error(
    `This is Node.js ${process.versions.node} (${process.execPath}), and ${minimum.join(".")} or later is required.\n` +
      "Remedy: install a current Node.js from https://nodejs.org (or `nvm install 22`) and run the command again.",
  );
  process.exitCode = 1;
} else {
  import("./setup/main.mjs").then(({ main }) => main(process.argv.slice(2)));
}
