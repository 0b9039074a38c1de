/** Repositories for tests. */
import { type Caller, make, start, ws } from "./support.js";

export const P = `${ws}/projects/web/repository`;
export const base64 = (text: string) => Buffer.from(text).toString("base64");

export async function withProject(options: Parameters<typeof start>[0] = {}) {
  const { emulator, call } = await start(options);
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  const add = (path: string, text: string, more: object = {}) =>
    make(call, "POST", `${P}/contents`, { path, content: base64(text), message: `Add ${path}`, ...more });
  return { emulator, call, add };
}

export async function messages(call: Caller, query: string) {
  return (await make(call, "GET", `${P}/commits${query}`)).commits.map(({ message: text }) => text);
}
