/** The script of the page: search, filters and grouping, without a library. */
export const reportScript = `
(() => {
  const root = document.getElementById("findings");
  if (!root) return;
  const cards = [...root.querySelectorAll(".finding")];
  const groups = [...root.querySelectorAll(".group")];
  for (const group of groups) group.classList.add("by-class");
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const text = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const home = new Map(cards.map((card) => [card, card.parentElement]));

  function filter() {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const classes = new Set([...document.querySelectorAll("input[name=class]:checked")].map((box) => box.value));
    let count = 0;
    for (const card of cards) {
      const fits = classes.has(card.dataset.class) && words.every((word) => text.get(card).includes(word));
      card.hidden = !fits;
      if (fits) count += 1;
    }
    for (const group of root.querySelectorAll(".group"))
      group.hidden = !group.querySelector(".finding:not([hidden])");
    shown.textContent = count + " of " + cards.length + " findings";
    none.hidden = count > 0;
  }

  function group(by) {
    root.replaceChildren();
    if (by === "class") {
      for (const card of cards) home.get(card).append(card);
      root.append(...groups);
    } else {
      const objects = new Map();
      const sorted = [...cards].sort((a, b) => (a.dataset.object < b.dataset.object ? -1 : a.dataset.object > b.dataset.object ? 1 : 0));
      for (const card of sorted) {
        const name = card.dataset.object;
        if (!objects.has(name)) {
          const section = document.createElement("section");
          section.className = "group by-object";
          const title = document.createElement("h2");
          const link = card.querySelector(".name a");
          if (link) {
            const copy = link.cloneNode(false);
            copy.textContent = name;
            title.append(copy);
          } else title.textContent = name;
          section.append(title);
          objects.set(name, section);
        }
        objects.get(name).append(card);
      }
      root.append(...objects.values());
    }
    filter();
  }

  search.addEventListener("input", filter);
  document.querySelector(".tools").addEventListener("submit", (event) => event.preventDefault());
  for (const box of document.querySelectorAll("input[name=class]")) box.addEventListener("change", filter);
  for (const radio of document.querySelectorAll("input[name=group]"))
    radio.addEventListener("change", () => group(radio.value));
  filter();
})();
`;
