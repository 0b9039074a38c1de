/** Ranks what the search of the site finds: how to do something comes before how it works. */

/** Weight of a section by its address. The site gets the text of this function, so it refers to nothing outside. */
export function boostDocument(id: string): number {
  const page = id.replace(/(\.html)?#.*$/, "");
  if (/(^|\/)tasks$/.test(page)) return 6;
  if (/(^|\/)(architecture|decisions|security|performance|scale|adding-a-resource)$/.test(page)) return 0.2;
  if (/(^|\/)(cli|lint|reports|installation-configuration|client|emulator|emulator-endpoints)$/.test(page))
    return 0.6;
  return /(^|\/)(reference|resources)\//.test(id) ? 0.6 : 1;
}
