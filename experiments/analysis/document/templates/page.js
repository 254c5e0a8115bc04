"use strict";

(() => {
  // Theme: a page opened from disk may be refused a memory, and then only forgets the choice.
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;

  function remembered() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // nothing to do
    }
  }

  function setTheme(theme) {
    root.dataset.theme = THEMES.includes(theme) ? theme : "auto";
  }

  function offerThemes(button) {
    const show = () => (button.textContent = `Theme: ${root.dataset.theme}`);
    button.addEventListener("click", () => {
      setTheme(THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length]);
      remember(root.dataset.theme);
      show();
    });
    button.hidden = false;
    show();
  }

  // Sorting: up, down, as it was. Missing cells stay last, equal ones in their order.
  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };
  const words = new Intl.Collator("en", { numeric: true });

  function key(cell) {
    if (cell.classList.contains("missing")) return null;
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim();
  }

  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return words.compare(String(one), String(other));
  }

  function sorted(rows, column, order) {
    if (order === "none") return rows;
    const sense = order === "ascending" ? 1 : -1;
    const keyed = rows.map((row) => ({ row, key: key(row.cells[column]) }));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return sense * compare(a.key, b.key);
    });
    return keyed.map(({ row }) => row);
  }

  function offerSorting(table) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const order = NEXT[head.getAttribute("aria-sort")];
        heads.forEach((each) => each.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", order);
        body.append(...sorted(original, column, order));
      });
    });
  }

  // Narrowing: rows that differ, and rows with the chosen words; the rest is hidden.
  function offerNarrowing(bar) {
    const rows = [...document.getElementById(bar.dataset.table).tBodies[0].rows];
    const button = bar.querySelector("button");
    const choices = [...bar.querySelectorAll("select")];

    function fits(row) {
      if (button?.getAttribute("aria-pressed") === "true" && !row.matches(".differing")) return false;
      return choices.every(({ value, dataset }) => {
        return value === "" || row.cells[dataset.column].textContent.trim() === value;
      });
    }

    function narrow() {
      rows.forEach((row) => (row.hidden = !fits(row)));
      const shown = rows.filter((row) => !row.hidden).length;
      bar.querySelector("output").textContent =
        shown < rows.length ? `${shown} of ${rows.length} rows` : "";
    }

    button?.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      narrow();
    });
    choices.forEach((choice) => choice.addEventListener("change", narrow));
    bar.hidden = false;
    narrow(); // a page that is loaded again may remember choices
  }

  // Hints: what is wider than its place says so, until its end is seen.
  function offerHints(box) {
    const hint = box.previousElementSibling;
    const show = () => {
      const more = box.scrollWidth - box.clientWidth - box.scrollLeft > 2;
      box.classList.toggle("more", more);
      hint.hidden = box.scrollWidth - box.clientWidth <= 2;
    };
    new ResizeObserver(show).observe(box);
    box.addEventListener("scroll", show, { passive: true });
    return show;
  }

  // Figures: a click shows one as large as the window allows.
  function offerLargeFigures(dialog) {
    const place = dialog.querySelector(".card");
    const show = offerHints(place);
    document.querySelectorAll("a.card").forEach((card) => {
      card.addEventListener("click", (event) => {
        event.preventDefault();
        place.replaceChildren(card.querySelector("svg").cloneNode(true));
        dialog.showModal();
        show();
      });
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  setTheme(remembered()); // before anything is drawn
  document.addEventListener("DOMContentLoaded", () => {
    offerThemes(document.getElementById("theme"));
    document.querySelectorAll("table").forEach(offerSorting);
    document.querySelectorAll(".narrow").forEach(offerNarrowing);
    document.querySelectorAll(".scroll, a.card").forEach(offerHints);
    offerLargeFigures(document.getElementById("large"));
  });
})();
