// Before the theme's own script.
"use strict";

// The index of the search, half of a page's bytes, is loaded with the first search.
{
  const input = ".md-search__input";
  // The theme drops the index if letters are typed while it arrives: until then it does not hear of them.
  const hold = (event) => { if (event.target.matches?.(input)) event.stopImmediatePropagation(); };
  addEventListener("keyup", hold, true);

  const index = new Promise((resolve) => {
    const load = ({ target }) => {
      if (!target.matches?.(`${input}, [for=__search], #__search`)) return;
      removeEventListener("focusin", load);
      removeEventListener("change", load);
      const { base } = JSON.parse(document.getElementById("__config").textContent);
      resolve(fetch(new URL("search/search_index.json", new URL(`${base}/`, location.href))).then((answer) => answer.json()));
    };
    addEventListener("focusin", load);
    addEventListener("change", load);
    // A link that highlights what was searched, or an address with a question.
    if (/[?&][hq]=/.test(location.search)) addEventListener("load", () => load({ target: document.getElementById("__search") }));
  });
  window.__search = { index };
  index.then(() => {
    setTimeout(() => {
      removeEventListener("keyup", hold, true);
      document.querySelector(input).dispatchEvent(new KeyboardEvent("keyup"));
    });
  });
}

// The theme keeps the colours of the first visit: until the visitor chooses some, they are the system's. The colours are those of
// mkdocs.yml.
if (!__md_get("__palette_chosen")) {
  const index = matchMedia("(prefers-color-scheme: dark)").matches ? 1 : 0;
  __md_set("__palette", { index, color: { scheme: ["default", "slate"][index], primary: "black", accent: "teal" } });
}
addEventListener("change", ({ target }) => { if (target.name === "__palette") __md_set("__palette_chosen", true); });
